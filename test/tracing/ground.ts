/** A merchant who traces: requests with the header `traceparent`, and the spans that follow. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { PublicPayment } from '../../domain/wire.ts';
import type { ExportedSpan } from '../support/collector.ts';
import { HANG_MS } from '../support/merchant.ts';
import type { Merchant } from '../support/merchant.ts';
import type { Received, Receiver } from '../support/receiver.ts';
import type { Deployment } from '../support/servers/deployment.ts';
import { until } from '../support/until.ts';

export const newTraceId = (): string => randomBytes(16).toString('hex');
export const PARENT_ID = 'b7ad6b7169203331';

/** Returns the trace and span of a request to the receiver. */
export function placeOf({ headers }: Pick<Received, 'headers'>) {
  const text = headers['traceparent'];
  const [, traceId, spanId, flags] =
    /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/.exec(String(text)) ?? [];
  return { traceId, spanId, flags };
}

/** Returns the spans with a name. */
export const named = (spans: readonly ExportedSpan[], name: string): ExportedSpan[] =>
  spans.filter((span) => span.name === name);

/**
 * Accepts spans that include these names, and each span's parent. Server and worker export their
 * spans at their own times.
 */
export const have =
  (...names: string[]) =>
  (spans: readonly ExportedSpan[]): boolean => {
    const ids = new Set([PARENT_ID, ...spans.map(({ spanId }) => spanId)]);
    const isWhole = spans.every(({ parentId }) => ids.has(parentId));
    return isWhole && names.every((name) => named(spans, name).length > 0);
  };

export function makeTracing({ apiUrl }: Pick<Deployment, 'apiUrl'>, merchant: Merchant) {
  /** Sends a POST with headers, and returns the created object. */
  async function post<T>(path: string, body: object, headers: Record<string, string>): Promise<T> {
    const response = await fetch(`${apiUrl}${path}`, {
      method: 'POST',
      signal: AbortSignal.timeout(HANG_MS),
      headers: {
        Authorization: `Bearer ${merchant.apiKey}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': randomUUID(),
        ...headers,
      },
      body: JSON.stringify(body),
    });
    if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }

  return {
    post,
    create: async (
      headers: Record<string, string>,
      fields: object = {},
    ): Promise<PublicPayment> => {
      const common = { amount: 12_500, currency: 'AMD', return_url: 'https://shop.example/' };
      return post('/v1/payments', { ...common, ...fields }, headers);
    },
  };
}

/** Waits for a number of webhooks about a payment, and returns them. */
export async function webhooksAbout(
  receiver: Receiver,
  id: string,
  count = 1,
): Promise<Received[]> {
  return until(
    () => receiver.requests.filter(({ raw }) => raw.includes(id)),
    (found) => found.length >= count,
  );
}
