/** Whether the process lives, and whether it can do its work: for load balancers and people. */
import { answerWith } from './call.ts';
import type { Answer, ApiOptions } from './call.ts';
import { inTime } from './deadline.ts';

/** A database that takes longer to say that it is there is none to work with. */
const PING_MS = 2_000;

/** `GET /healthz`: the process answers. It says nothing of what it depends on. */
export async function getHealth(): Promise<Answer> {
  return answerWith(200, { status: 'ok' });
}

const word = (isReady: boolean): string => (isReady ? 'ok' : 'unavailable');

/** `GET /readyz`: 503 with the dependency that fails, so that traffic goes elsewhere. */
export async function getReadiness({ mongo, temporal, log }: ApiOptions): Promise<Answer> {
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
  const isReady = mongodb && workflows;
  const checks = { mongodb: word(mongodb), temporal: word(workflows) };
  return answerWith(isReady ? 200 : 503, { status: word(isReady), checks });
}
