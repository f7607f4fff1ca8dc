/**
 * Changing the encryption key of a running service. At each step some processes have been restarted
 * and others have not, and each of them must open what any of them sealed.
 */
import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeWebhookSecret } from '../../outbound/sign.ts';
import type { Endpoint } from '../../domain/endpoint.ts';
import { deriveKeys } from '../../store/encryption.ts';
import { mintId } from '../../store/mint.ts';
import { resealSecrets, surveySecrets } from '../../store/reseal.ts';
import { makeSealer } from '../../store/seal.ts';
import type { Sealer } from '../../store/seal.ts';
import { verify } from '../support/signature.ts';
import { openDeliverGround } from './dispatch.ts';
import { closeAfterTests } from '../support/close.ts';

const [OLD, NEW] = [randomBytes(32), randomBytes(32)];

/** Returns a process with these keys in its environment. */
function configured(key: Buffer, previous: Buffer[] = []): Sealer {
  const keys = deriveKeys({ current: key, previous }, 'webhook secrets');
  return makeSealer(keys.current, keys.previous);
}

/**
 * The keys of a process at each step of docs/operating.md, "Changing the encryption key".
 */
const before = configured(OLD);
const announced = configured(OLD, [NEW]);
const changed = configured(NEW, [OLD]);
const after = configured(NEW);

const ground = closeAfterTests(await openDeliverGround('rotation'));
beforeEach(async () => {
  await ground.mongo.endpoints.deleteMany({});
  await ground.renew();
});

interface Waiting {
  id: string;
  endpoint: Endpoint;
  secret: string;
}

/** Stores a pending delivery to an endpoint whose secret was sealed by that process. */
async function waitingFor(by: Sealer): Promise<Waiting> {
  const _id = mintId('endpoint');
  const secret = makeWebhookSecret();
  const { id, endpoint } = await ground.begin({ _id, secret: by.seal(secret, _id) });
  return { id, endpoint, secret };
}

/** Delivers it by a worker with those keys, and verifies the signature. */
async function expectDelivered({ id, secret }: Waiting, by: Sealer): Promise<void> {
  const seen = ground.receiver.requests.length;
  await ground.deliver(id, by);
  expect(ground.receiver.requests).toHaveLength(seen + 1);
  const event = verify(ground.receiver.requests[seen]!, secret);
  expect(event.id).toBe((await ground.read(id)).event_id);
  expect((await ground.read(id)).state).toBe('succeeded');
}

describe('changing the key in the documented order', () => {
  it.each([
    ['1, the new key beside the old one', before, announced],
    ['2, the new key in use', announced, changed],
  ])('delivers during step %s, whichever process sealed and sends', async (_, late, restarted) => {
    for (const sealedBy of [late, restarted]) {
      await expectDelivered(await waitingFor(sealedBy), late);
      await expectDelivered(await waitingFor(sealedBy), restarted);
    }
  });

  it('delivers after the reseal, even by a worker that step 2 has not reached', async () => {
    const waiting = [
      await waitingFor(before),
      await waitingFor(announced),
      await waitingFor(changed),
    ];
    expect(await resealSecrets(ground.mongo, changed)).toEqual({ resealed: 2, already: 1 });
    await expectDelivered(waiting[0]!, announced);
    await expectDelivered(waiting[1]!, changed);
    await expectDelivered(waiting[2]!, announced);
  });

  it('delivers in step 4 without the old key, after the check has found none left', async () => {
    const waiting = [await waitingFor(before), await waitingFor(changed)];
    expect((await surveySecrets(ground.mongo, changed)).older).not.toEqual({});
    await resealSecrets(ground.mongo, changed);
    const { older, unreadable } = await surveySecrets(ground.mongo, changed);
    expect([older, unreadable.count]).toEqual([{}, 0]);
    for (const each of waiting) await expectDelivered(each, after);
  });
});

describe('a worker that cannot open a secret', () => {
  it('sends nothing, records no failure, and leaves the delivery to a worker that can', async () => {
    const waiting = await waitingFor(changed);
    const row = await ground.read(waiting.id);
    const failure = await ground.deliver(waiting.id, before).catch(String);
    expect(failure).toContain(`another key, ${after.keyId}, which is not configured`);
    expect(failure).not.toContain(waiting.secret.slice(6));
    expect(ground.receiver.connections).toBe(0);
    expect(await ground.read(waiting.id)).toEqual(row);
    expect(await ground.readEndpoint(waiting.endpoint)).toEqual(waiting.endpoint);
    await expectDelivered(waiting, changed);
  });
});
