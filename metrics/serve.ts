/** Serves metrics over HTTP, on a port of their own. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';
import { refusePlainly } from '../http/refuse.ts';
import { openPort, serve } from '../http/serve.ts';

export interface Exposed {
  readonly registry: Registry;
  /** Updates gauges before a scrape. */
  readonly refresh?: () => Promise<void>;
  /** Returns further metrics as text. */
  readonly more?: () => Promise<string>;
}

interface Place {
  /** The variable or option with the port, for errors. */
  readonly variable: string;
  readonly port: number;
  readonly host: string | undefined;
}

/**
 * Serves `/metrics` on the port. Returns a function that stops it. Scrapes at the same time share
 * one text.
 */
export async function serveMetrics(exposed: Exposed, place: Place): Promise<() => Promise<void>> {
  let scraping: Promise<string> | undefined;
  const scrape = async (): Promise<string> =>
    (scraping ??= compose(exposed).finally(() => {
      scraping = undefined;
    }));
  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const [path] = (req.url ?? '').split('?');
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    if (path !== '/metrics') return end(res, 404, 'Metrics are at /metrics.\n');
    if (!isRead) return end(res.setHeader('Allow', 'GET, HEAD'), 405, 'Use GET.\n');
    try {
      const text = await scrape();
      end(res.setHeader('Content-Type', exposed.registry.contentType), 200, text);
    } catch (error) {
      // Payments go on without metrics.
      end(res, 500, `${(error as Error).message}\n`);
    }
  };
  const serving = serve({ handle, refuse: refusePlainly });
  await openPort(serving, place);
  return serving.drain;
}

async function compose({ registry, refresh, more }: Exposed): Promise<string> {
  const [others = ''] = await Promise.all([more?.(), refresh?.()]);
  return (await registry.metrics()) + others;
}

function end(res: ServerResponse, status: number, text: string): void {
  res.statusCode = status;
  if (!res.hasHeader('Content-Type')) res.setHeader('Content-Type', 'text/plain; charset=utf-8');
  res.end(text);
}
