/** Downloads of exports: streamed as fast as the client reads, with flat memory. */
import { Readable } from 'node:stream';
import { dayOf } from '../../domain/stats.ts';
import { Refusal } from '../../operations/refusal.ts';
import type { Result, StaffRequest } from '../request.ts';
import { exportCsv } from './csv.ts';
import { showExports } from './exports.tsx';
import { readQuery } from './query.ts';
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
  const pieces = exportCsv(services.mongo, name, query);
  // Errors of the first query get their page.
  const first = [(await pieces.next()).value, (await pieces.next()).value];
  const count = running.get(tenant) ?? 0;
  if (count >= MAX_DOWNLOADS) ctx.throw(429);
  running.set(tenant, count + 1);
  const body = Readable.from(rest(first, pieces));
  body.once('close', () => leave(tenant));
  // Without its end, no client takes the file as complete.
  body.once('error', () => ctx.req.socket.resetAndDestroy());
  ctx.attachment(`${name}-${dayOf(now.getTime())}.csv`);
  ctx.set('Content-Type', 'text/csv; charset=utf-8; header=present');
  ctx.body = body;
  return 'sent';
}

async function* rest(
  first: readonly (string | void)[],
  others: AsyncGenerator<string, void, undefined>,
): AsyncGenerator<string, void, undefined> {
  for (const piece of first) if (piece !== undefined && piece !== '') yield piece;
  yield* others;
}

function leave(tenant: string): void {
  const count = (running.get(tenant) ?? 1) - 1;
  if (count > 0) running.set(tenant, count);
  else running.delete(tenant);
}
