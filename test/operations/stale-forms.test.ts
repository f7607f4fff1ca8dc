import { describe, expect, it } from 'vitest';
import { rotateSecret, updateEndpoint, versionOf } from '../../operations/change-endpoint.ts';
import { startReplay } from '../../operations/replay.ts';
import { failuresIn } from '../../operations/selection.ts';
import { refusalOf, useGround } from './endpoints.ts';

const ground = await useGround('webhooks_stale');
const REFUSED = ['parameter_invalid', null];

describe('a change of an endpoint', () => {
  it('is refused if the endpoint has another version than the person saw', async () => {
    const endpoint = await ground.endpoint();
    const { _id: id } = endpoint;
    const version = versionOf(endpoint);
    await updateEndpoint(ground.services, { id, description: 'One', version });
    const late = updateEndpoint(ground.services, { id, description: 'Two', version });
    expect(await refusalOf(late)).toEqual(REFUSED);
    const rotation = rotateSecret(ground.services, { id, overlap: '0', version });
    expect(await refusalOf(rotation)).toEqual(REFUSED);
    const { description, secret_hint: hint } = await ground.read(endpoint);
    expect([description, hint]).toEqual(['One', endpoint.secret_hint]);
  });

  it('is not refused after a delivery has failed, because nobody has changed anything', async () => {
    const endpoint = await ground.endpoint();
    const { _id: id } = endpoint;
    const failing = { $set: { failing_since: new Date() } };
    await ground.mongo.endpoints.updateOne({ _id: id }, failing);
    const version = versionOf(endpoint);
    await updateEndpoint(ground.services, { id, description: 'One', version });
    expect((await ground.read(endpoint)).description).toBe('One');
  });
});

describe('a start of a replay', () => {
  it('is refused if another replay is the newest, even one that has ended', async () => {
    const endpoint = await ground.endpoint();
    const from = new Date(Date.now() - 60_000);
    await ground.delivery(endpoint, { state: 'failed', next_attempt_at: null });
    const start = async (newest: string) => {
      const temporal = { resumeReplay: async () => undefined };
      const selection = failuresIn('failed');
      const until = new Date(Date.now() + 60_000);
      const request = { endpoint: endpoint._id, from, until, selection, newest };
      return startReplay({ ...ground.services, temporal }, request);
    };
    const { id } = await start('');
    const ended = { $set: { status: 'completed' as const } };
    await ground.mongo.replays.updateOne({ _id: String(id) }, ended);
    expect(await refusalOf(start(''))).toEqual(REFUSED);
    expect(await start(String(id))).toMatchObject({ status: 'running' });
  });
});
