/** `tollgate encryption-key rotate | reseal`: changing the key that secrets are kept under. */
import { ConfigError, readConfig } from '../config.ts';
import type { Config } from '../config.ts';
import { isKeyStaged, readKeys, stageKey } from '../embedded/keys.ts';
import { MAX_PREVIOUS_KEYS } from '../store/encryption.ts';
import { resealSecrets, surveySecrets } from '../store/reseal.ts';
import type { Survey } from '../store/reseal.ts';
import { insertAudit } from '../store/audit.ts';
import { entryOf } from '../operations/services.ts';
import type { Services, Shown } from '../operations/services.ts';
import type { OpenServices } from './services.ts';

const RESEAL = '`tollgate encryption-key reseal`';

/** Runs `encryption-key rotate`. */
export async function rotate(services: OpenServices): Promise<Shown> {
  return rotateKey(services, readConfig());
}

/** Runs `encryption-key reseal`. Sets the exit code 1 while an older key is needed. */
export async function reseal(services: OpenServices, options: { check?: boolean }): Promise<Shown> {
  const shown = await resealKeys(services, options, readConfig());
  if (shown['left'] !== 0 || shown['unreadable'] !== 0) process.exitCode = 1;
  return shown;
}

type KeyConfig = Pick<Config, 'encryptionKey' | 'dataDir'>;
type KeyServices = Pick<Services, 'mongo' | 'actor' | 'sealer'>;

/**
 * Inserts the audit entry, before the act itself. A transaction cannot include a file, so this
 * order makes sure that no act lacks its entry.
 */
async function record(services: KeyServices, which: 'rotate' | 'reseal'): Promise<void> {
  const { mongo, sealer } = services;
  const action = `encryption_key.${which}` as const;
  const entry = entryOf(services, { action, objectId: sealer.keyId, merchantId: null });
  await mongo.transact(async (session) => insertAudit(mongo, session, entry));
}

/**
 * Makes a new key wait in the data folder. Nothing seals with it before everything that runs on the
 * folder has been started anew. Throws `ConfigError` where the key is not the folder's.
 */
export async function rotateKey(
  services: KeyServices,
  { encryptionKey, dataDir }: KeyConfig,
): Promise<Shown> {
  if (encryptionKey) {
    throw new ConfigError(
      'ENCRYPTION_KEY is set, so the key is changed there: the steps are in docs/operating.md, "Changing the encryption key".',
    );
  }
  const kept = readKeys(dataDir);
  if (!kept) {
    throw new ConfigError(`There is no key in ${dataDir} yet: the first \`npm start\` makes one.`);
  }
  if (kept.previous.length >= MAX_PREVIOUS_KEYS) {
    throw new ConfigError(
      `There are ${MAX_PREVIOUS_KEYS} older keys in ${dataDir} already: delete secret.key.previous when ${RESEAL} leaves none.`,
    );
  }
  if (!isKeyStaged(dataDir)) await record(services, 'rotate');
  const made = await stageKey(dataDir);
  return {
    new_key: made ? 'made' : 'waits already',
    next: `Stop \`npm start\` and start it again, then run ${RESEAL}.`,
  };
}

/** Counts the secrets by key, after putting them under the key in use unless that is not wanted. */
export async function resealKeys(
  services: KeyServices,
  { check = false }: { check?: boolean },
  config: KeyConfig,
): Promise<Shown> {
  const { mongo, sealer } = services;
  if (!check) await record(services, 'reseal');
  const done = check ? {} : await resealSecrets(mongo, sealer);
  const survey = await surveySecrets(mongo, sealer);
  const left = Object.values(survey.older).reduce((sum, count) => sum + count, 0);
  const { unreadable } = survey;
  return {
    key: sealer.keyId,
    ...done,
    current: survey.current,
    left,
    left_by_key: survey.older,
    unreadable: unreadable.count,
    ...(unreadable.count === 0 ? {} : { keys_missing: unreadable.keys }),
    ...(unreadable.count === 0 ? {} : { unreadable_endpoints: unreadable.endpoints }),
    next: nextStep(left, survey, config),
  };
}

function nextStep(left: number, { unreadable }: Survey, { encryptionKey, dataDir }: KeyConfig) {
  if (unreadable.count > 0) {
    return 'Add the missing key to ENCRYPTION_KEY_PREVIOUS, or give these endpoints a new secret: `tollgate endpoint rotate-secret --overlap 0`.';
  }
  if (!encryptionKey && isKeyStaged(dataDir)) {
    return `A new key waits for the next start: stop \`npm start\`, start it again, then run ${RESEAL}.`;
  }
  if (left > 0) return `Run ${RESEAL}; older keys are needed until nothing is left.`;
  const drop = encryptionKey ? 'unset ENCRYPTION_KEY_PREVIOUS' : 'delete secret.key.previous';
  return `No secret needs another key. When the key in use is the new one, ${drop} a day after the last restart with it, and restart.`;
}
