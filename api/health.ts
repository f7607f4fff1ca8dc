/** Health checks for load balancers and people: the process runs, and it can do its work. */
import { inTime } from '../concurrency.ts';
import { unavailable } from '../operations/refusal.ts';
import { replyWith } from './call.ts';
import type { ApiOptions, Reply } from './call.ts';

/** The time for MongoDB to respond. A slower MongoDB is of no use. */
const PING_MS = 2_000;
/** How long one result is shared. Anyone may ask, and a check costs calls to both dependencies. */
const SHARED_MS = 1_000;

/** `GET /livez` and `GET /healthz`: 200 while the process runs, even without its dependencies. */
export const getHealth = async (): Promise<Reply> => replyWith(200, { status: 'ok' });

const statusOf = (isAvailable: boolean): string => (isAvailable ? 'ok' : 'unavailable');

/**
 * Creates `GET /readyz`. Without MongoDB, and once the server begins to stop, it returns 503, so
 * that traffic goes elsewhere. Without Temporal it returns 200 with `degraded`: payments are still
 * created and read, and the other servers lack Temporal too. All callers share one check, and its
 * result for 1 s.
 */
export function makeReadiness({
  mongo,
  temporal,
  log,
  stopping,
}: Pick<ApiOptions, 'mongo' | 'temporal' | 'log' | 'stopping'>): () => Promise<Reply> {
  let shared: Promise<Reply> | undefined;
  async function check(): Promise<Reply> {
    const [mongodb, workflows] = await Promise.all([
      inTime(mongo.ping(), PING_MS, unavailable).then(
        () => true,
        (error: unknown) => {
          log.warn({ err: error }, 'MongoDB is not ready');
          return false;
        },
      ),
      temporal.isReady(),
    ]);
    const checks = { mongodb: statusOf(mongodb), temporal: statusOf(workflows) };
    if (!mongodb) return replyWith(503, { status: 'unavailable', checks });
    return replyWith(200, { status: workflows ? 'ok' : 'degraded', checks });
  }
  return async () => {
    if (stopping?.aborted) return replyWith(503, { status: 'stopping' });
    shared ??= check().finally(() => {
      setTimeout(() => {
        shared = undefined;
      }, SHARED_MS).unref();
    });
    return shared;
  };
}
