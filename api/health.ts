/** Whether the process lives, and whether it can do its work: for load balancers and people. */
import { answerWith } from './call.ts';
import type { Answer, ApiOptions, Published } from './call.ts';
import { inTime } from './deadline.ts';

/** A database that takes longer to say that it is there is none to work with. */
const PING_MS = 2_000;
/** Anyone may ask, and asking costs calls to both dependencies: one answer serves for so long. */
const SHARED_MS = 1_000;

/** `GET /livez` and `GET /healthz`: the process answers, whatever it depends on. */
export async function getHealth(): Promise<Answer> {
  return answerWith(200, { status: 'ok' });
}

/** `GET /readyz`: whether the server can take requests. */
export async function getReadiness({ readiness }: Published): Promise<Answer> {
  return readiness();
}

const word = (isThere: boolean): string => (isThere ? 'ok' : 'unavailable');

/**
 * Returns the check behind `GET /readyz`. It depends on MongoDB alone: without it the answer is
 * 503, so that traffic goes elsewhere. Without Temporal payments are still created and read, and
 * every server lacks it at the same time, so the answer is 200 and says `degraded`. All callers
 * share one check, and its answer for 1 s.
 */
export function makeReadinessCheck({
  mongo,
  temporal,
  log,
}: Pick<ApiOptions, 'mongo' | 'temporal' | 'log'>): () => Promise<Answer> {
  let shared: Promise<Answer> | undefined;
  async function check(): Promise<Answer> {
    const [mongodb, workflows] = await Promise.all([
      inTime(mongo.ping(), PING_MS).then(
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
