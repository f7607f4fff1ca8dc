/** Health checks for load balancers and people: the process runs, and it can do its work. */
import { answerWith } from './call.ts';
import type { Answer, ApiOptions, Published } from './call.ts';
import { orUnavailable } from './deadline.ts';

/** A database that takes longer to say that it is there is none to work with. */
const PING_MS = 2_000;
/**
 * How long one result is shared. Anyone may ask, and each check costs calls to both dependencies.
 */
const SHARED_MS = 1_000;

/**
 * `GET /livez` and `GET /healthz`: returns 200 while the process runs, even without its
 * dependencies.
 */
export async function getHealth(): Promise<Answer> {
  return answerWith(200, { status: 'ok' });
}

/** `GET /readyz`: returns whether the server can take requests. */
export async function getReadiness({ readiness }: Published): Promise<Answer> {
  return readiness();
}

const word = (isThere: boolean): string => (isThere ? 'ok' : 'unavailable');

/**
 * Returns the check behind `GET /readyz`. Without MongoDB it returns 503, so that traffic goes
 * elsewhere. Without Temporal it returns 200 with `degraded`: payments are still created and read,
 * and no other server has Temporal either. All callers share one check, and its result for 1 s.
 */
export function makeReadinessCheck({
  mongo,
  temporal,
  log,
}: Pick<ApiOptions, 'mongo' | 'temporal' | 'log'>): () => Promise<Answer> {
  let shared: Promise<Answer> | undefined;
  async function check(): Promise<Answer> {
    const [mongodb, workflows] = await Promise.all([
      orUnavailable(mongo.ping(), PING_MS).then(
        () => true,
        (error: unknown) => {
          log.warn({ err: error }, 'MongoDB is not ready');
          return false;
        },
      ),
      temporal.isReady(),
    ]);
    const checks = { mongodb: word(mongodb), temporal: word(workflows) };
    if (!mongodb) return answerWith(503, { status: 'unavailable', checks });
    return answerWith(200, { status: workflows ? 'ok' : 'degraded', checks });
  }
  return async () => {
    shared ??= check().finally(() => {
      setTimeout(() => {
        shared = undefined;
      }, SHARED_MS).unref();
    });
    return shared;
  };
}
