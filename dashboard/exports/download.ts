/** Downloads of exports: streamed as fast as the client reads, with flat memory. */
import { Readable } from 'node:stream';
import { dayOf } from '../../domain/stats.ts';
import { Refusal } from '../../operations/refusal.ts';
import type { Result, StaffRequest } from '../request.ts';
import { exportCsv } from './csv.ts';
import { showExports } from './exports.tsx';
import { paramOf, readQuery } from './query.ts';
import type { ExportName, ExportQuery } from './query.ts';

/** The most downloads of a merchant at once in this process. Each reads as fast as it is taken. */
const MAX_DOWNLOADS = 2;
/** The downloads that run, by tenant. */
const running = new Map<string, number>();

/** Returns the handler of `GET /exports/<name>.csv`. */
export function download(name: ExportName) {
  return async (request: StaffRequest): Promise<Result> => {
    let query: ExportQuery;
    try {
      query = await readQuery(request, name);
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      const shown = await showExports({ ...request, refusal });
      return typeof shown === 'object' && 'page' in shown ? { ...shown, status: 422 } : shown;
    }
    return stream(request, name, query);
  };
}

async function stream(
  request: StaffRequest,
  name: ExportName,
  query: ExportQuery,
): Promise<'sent'> {
  const { ctx, services, tenant, now } = request;
  if (!enter(tenant)) ctx.throw(429);
  const pieces = exportCsv(services.mongo, name, query);
  let body: Readable;
  try {
    // The first query is made before the response begins, so its error gets a page.
    const first = [await pieces.next(), await pieces.next()];
    body = Readable.from(all(first, pieces));
  } catch (error) {
    leave(tenant);
    throw error;
  }
  body.once('close', () => leave(tenant));
  // Without its end, no client takes the file as complete.
  body.once('error', () => ctx.req.socket.resetAndDestroy());
  const days = [paramOf(request, 'from'), paramOf(request, 'to')].filter((day) => day !== '');
  ctx.attachment(`${name}-${days.join('-to-') || dayOf(now.getTime())}.csv`);
  ctx.set('Content-Type', 'text/csv; charset=utf-8; header=present');
  ctx.body = body;
  return 'sent';
}

/** Yields the pieces that were read already, and then the others. */
async function* all(
  first: readonly IteratorResult<string, void>[],
  others: AsyncGenerator<string, void, undefined>,
): AsyncGenerator<string, void, undefined> {
  for (const { value } of first) if (value) yield value;
  yield* others;
}

/** Returns false if the merchant has too many downloads. */
function enter(tenant: string): boolean {
  const count = running.get(tenant) ?? 0;
  if (count >= MAX_DOWNLOADS) return false;
  running.set(tenant, count + 1);
  return true;
}

function leave(tenant: string): void {
  const count = (running.get(tenant) ?? 1) - 1;
  if (count > 0) running.set(tenant, count);
  else running.delete(tenant);
}
