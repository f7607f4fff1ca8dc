/** `tollgate encryption-key rotate | reseal`: changes the key that encrypts webhook secrets. */
import { ConfigError } from '../config.ts';
import { isKeyStaged, readKeys, stageKey } from '../embedded/keys.ts';
import { entryOf } from '../operations/services.ts';
import type { Shown } from '../operations/services.ts';
import { insertAudit } from '../store/audit.ts';
import { MAX_PREVIOUS_KEYS } from '../store/encryption.ts';
import { resealSecrets, surveySecrets } from '../store/reseal.ts';
import type { Survey } from '../store/reseal.ts';
import type { OpenServices } from './services.ts';

type KeyServices = Pick<OpenServices, 'mongo' | 'actor' | 'sealer' | 'config'>;

const RESEAL = '`tollgate encryption-key reseal`';

/**
 * Stages a new key in the data folder. The next `npm start` puts it in use. Throws `ConfigError`
 * if the key in use is not the folder's.
 */
export async function rotate(services: KeyServices): Promise<Shown> {
  const { encryptionKey, dataDir } = services.config;
  if (encryptionKey) {
    throw new ConfigError(
      'ENCRYPTION_KEY is set, so the key is changed there: the steps are in docs/operating.md, "Changing the encryption key".',
    );
  }
  const older = readKeys(dataDir)?.previous.length ?? 0;
  if (older >= MAX_PREVIOUS_KEYS) {
    throw new ConfigError(
      `There are ${older} older keys in ${dataDir} already: delete secret.key.previous when ${RESEAL} leaves none.`,
    );
  }
  if (!isKeyStaged(dataDir)) await record(services, 'rotate');
  const isMade = stageKey(dataDir);
  return {
    new_key: isMade ? 'made' : 'waits already',
    next: `Stop \`npm start\` and start it again, then run ${RESEAL}.`,
  };
}

/**
 * Encrypts all secrets with the key in use, except with `check`, and counts them by key. Sets the
 * exit code 1 while an older key is needed.
 */
export async function reseal(
  services: KeyServices,
  { check = false }: { check?: boolean },
): Promise<Shown> {
  const { mongo, sealer } = services;
  if (!check) await record(services, 'reseal');
  const done = check ? {} : await resealSecrets(mongo, sealer);
  const survey = await surveySecrets(mongo, sealer);
  const left = Object.values(survey.older).reduce((sum, count) => sum + count, 0);
  const { count: unreadable, keys: keys_missing, endpoints, users } = survey.unreadable;
  if (left + unreadable > 0) process.exitCode = 1;
  return {
    key: sealer.keyId,
    ...done,
    current: survey.current,
    left,
    left_by_key: survey.older,
    unreadable,
    ...(users.length > 0 && { unreadable_users: users }),
    ...(unreadable > 0 && {
      keys_missing,
      unreadable_endpoints: endpoints,
      unreadable_users: users,
    }),
    next: nextStep(left, survey, services),
  };
}

/**
 * Inserts the audit entry before the change, because a transaction cannot include a file. So no
 * change lacks its entry.
 */
async function record(services: KeyServices, which: 'rotate' | 'reseal'): Promise<void> {
  const { mongo, sealer } = services;
  const action = `encryption_key.${which}` as const;
  const entry = entryOf(services, { action, objectId: sealer.keyId, merchantId: null });
  await mongo.transact(async (session) => insertAudit(mongo, session, entry));
}

function nextStep(left: number, { unreadable }: Survey, { config }: KeyServices): string {
  const { encryptionKey, dataDir } = config;
  if (unreadable.count > 0) {
    return 'Add the missing key to ENCRYPTION_KEY_PREVIOUS, or give these endpoints a new secret: `tollgate endpoint rotate-secret --overlap 0`, and these users a new second step: `tollgate user reset --second-step`.';
  }
  if (!encryptionKey && isKeyStaged(dataDir)) {
    return `A new key waits for the next start: stop \`npm start\`, start it again, then run ${RESEAL}.`;
  }
  if (left > 0) return `Run ${RESEAL}; older keys are needed until nothing is left.`;
  const drop = encryptionKey ? 'unset ENCRYPTION_KEY_PREVIOUS' : 'delete secret.key.previous';
  return `No secret needs another key. If the key in use is the new one, wait a day after the last restart, then ${drop} and restart.`;
}
