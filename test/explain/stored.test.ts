import { createHmac } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { parseRanges } from '../../outbound/address.ts';
import { deliverWebhook } from '../../activities/deliver.ts';
import { makeGate } from '../../outbound/gate.ts';
import { makeOutbound } from '../../outbound/post.ts';
import type { Delivery } from '../../domain/delivery.ts';
import { explainAttempt } from '../../explain/stored.ts';
import { mintId } from '../../store/mint.ts';
import { makeSealer } from '../../store/seal.ts';
import { rotateSecret } from '../../operations/change-endpoint.ts';
import { sealer } from '../support/rows/endpoint.ts';
import { openReceiver } from '../support/receiver.ts';
import { useGround } from '../operations/endpoints.ts';
import { closeAfterTests } from '../support/close.ts';

const ground = await useGround('explain_stored');
const receiver = closeAfterTests(await openReceiver());
receiver.respond = () => ({ status: 500 });
const outbound = makeOutbound({ opened: parseRanges(['127.0.0.1/32']), timeoutMs: 5_000 });
afterAll(async () => {
  await outbound.close();
});

/** Makes the next attempt of a delivery as the worker does. The attempt fails. */
async function attempt(id: string): Promise<void> {
  const { mongo, temporal } = ground.services;
  await mongo.deliveries.updateOne({ _id: id }, { $set: { next_attempt_at: new Date() } });
  const gate = makeGate({ slots: 10, now: Date.now, random: Math.random });
  const scheduleSeconds = [0, 9, 9];
  const log = { info: () => undefined };
  const deps = { mongo, temporal, outbound, gate, sealer, scheduleSeconds, version: '1', log };
  await deliverWebhook(deps, { delivery_id: id }).catch(() => undefined);
}

/** Returns a delivery with `count` attempts, and the last request that the receiver got. */
async function delivered(count = 1) {
  const endpoint = await ground.endpoint({ url: receiver.url });
  const { _id: id, event_id } = await ground.delivery(endpoint);
  for (let number = 0; number < count; number += 1) await attempt(id);
  const { headers, raw } = receiver.requests.at(-1)!;
  const timestamp = String(headers['service-timestamp']);
  return { id, event_id, endpoint, headers, timestamp, body: raw.toString() };
}

const change = async (id: string, changes: object): Promise<unknown> =>
  ground.mongo.deliveries.updateOne({ _id: id }, changes);

/** Explains the last attempt as it is stored. */
async function explain(
  { id }: { id: string },
  theirs: Omit<Parameters<typeof explainAttempt>[1], 'delivery' | 'attempt'> = {},
) {
  const delivery: Delivery = (await ground.mongo.deliveries.findOne({ _id: id }))!;
  const stored = delivery.attempts.at(-1)!;
  return explainAttempt(ground.services, { ...theirs, delivery, attempt: stored });
}

const mac = (secret: string, text: string): string =>
  `v1=${createHmac('sha256', secret).update(text).digest('hex')}`;

describe('explainAttempt', () => {
  it('returns the signed bytes and the headers of the last attempt as they were sent', async () => {
    const { id, event_id, endpoint, headers, timestamp, body } = await delivered(2);
    const explained = await explain({ id });
    expect(explained).toMatchObject({
      delivery_id: id,
      event_id,
      endpoint_id: endpoint._id,
      attempt: 2,
      attempts_count: 2,
      url: receiver.url,
      status: 500,
      error: 'status',
      signed_with: [endpoint.shown.slice(-4)],
      findings: [],
    });
    expect(explained.forms.map(({ signed }) => signed)).toEqual([
      `${timestamp}.${body}`,
      `${event_id}.${timestamp}.${body}`,
    ]);
    expect(explained.headers).toHaveLength(5);
    for (const { name, expected } of explained.headers) {
      expect([name, expected]).toEqual([name, headers[name]]);
    }
  });

  it('confirms that the received and computed signatures are right', async () => {
    const { id, headers, timestamp, body, endpoint } = await delivered();
    const given = { 'webhook-signature': String(headers['webhook-signature']) };
    const computed = [mac(endpoint.shown, `${timestamp}.${body}`)];
    const { findings } = await explain({ id }, { given, computed });
    expect(findings.map(({ code, about }) => [code, about])).toEqual([
      ['fits', 'webhook-signature'],
      ['fits', 'service-signature'],
    ]);
  });

  it('shows where the body that was signed differs', async () => {
    const { id, timestamp, body, endpoint } = await delivered();
    const signedBody = body.replace('Շ', String.raw`\u0547`);
    const computed = [mac(endpoint.shown, `${timestamp}.${signedBody}`)];
    const { findings } = await explain({ id }, { computed, signedBody });
    expect(findings).toMatchObject([{ code: 'body_differs', about: 'service-signature' }]);
    const at = Buffer.byteLength(body.slice(0, body.indexOf('Շ')));
    expect(findings[0]?.says).toContain(`The first difference is at byte ${at}: "Շ`);
  });

  it.each(['disabled', 'deleted'] as const)('finds the secret of a %s endpoint', async (status) => {
    const { id, timestamp, body } = await delivered();
    const other = await ground.endpoint({ status });
    const computed = [mac(other.shown, `${timestamp}.${body}`)];
    const [found] = (await explain({ id }, { computed })).findings;
    expect(found).toMatchObject({ code: 'other_secret', kind: 'mistake' });
    const kind = status === 'deleted' ? 'deleted endpoint' : 'endpoint';
    expect(found?.says).toContain(`the newest secret of your ${kind} ${other._id}`);
  });

  it('does not try the secrets of another merchant', async () => {
    const { id, timestamp, body } = await delivered();
    const stranger = await ground.endpoint({ m: 'mer_1:test' });
    const computed = [mac(stranger.shown, `${timestamp}.${body}`)];
    const { findings } = await explain({ id }, { computed });
    expect(findings).toMatchObject([{ code: 'unexplained' }]);
  });

  it('accepts the signature of a replaced secret, and reports the new secret', async () => {
    const { id, endpoint, headers, timestamp, body } = await delivered();
    const { secret } = await rotateSecret(ground.services, { id: endpoint._id, overlap: '0' });
    const [old, fresh] = [endpoint.shown, String(secret)].map((each) =>
      mac(each, `${timestamp}.${body}`),
    );
    const right = await explain({ id }, { computed: [old!] });
    expect(right.signed_with).toEqual([]);
    expect(right.findings).toMatchObject([{ code: 'fits', kind: 'note' }]);
    const shown = right.headers.find(({ name }) => name === 'service-signature');
    expect(shown?.expected).toBe(headers['service-signature']);
    const [found] = (await explain({ id }, { computed: [fresh!] })).findings;
    expect(found).toMatchObject({ code: 'other_secret' });
    expect(found?.says).toContain(`the newest secret of your endpoint ${endpoint._id}`);
  });

  it('finds a secret that was replaced before the attempt', async () => {
    const endpoint = await ground.endpoint({ url: receiver.url });
    await rotateSecret(ground.services, { id: endpoint._id, overlap: '1h' });
    const ended = { $set: { 'previous_secrets.0.expires_at': new Date(0) } };
    await ground.mongo.endpoints.updateOne({ _id: endpoint._id }, ended);
    const { _id: id } = await ground.delivery(endpoint);
    await attempt(id);
    const { headers, raw } = receiver.requests.at(-1)!;
    const computed = [
      mac(endpoint.shown, `${String(headers['service-timestamp'])}.${String(raw)}`),
    ];
    const [found] = (await explain({ id }, { computed })).findings;
    expect(found).toMatchObject({ code: 'other_secret', kind: 'mistake' });
    const whose = `a replaced secret of your endpoint ${endpoint._id} (ending in `;
    expect(found?.says).toContain(whose + endpoint.shown.slice(-4));
  });

  it('finds each secret of an attempt that had several', async () => {
    const endpoint = await ground.endpoint({ url: receiver.url });
    const { secret } = await rotateSecret(ground.services, { id: endpoint._id, overlap: '1h' });
    const { _id: id } = await ground.delivery(endpoint);
    await attempt(id);
    const hints = [String(secret).slice(-4), endpoint.shown.slice(-4)];
    expect(await explain({ id })).toMatchObject({ signed_with: hints, findings: [] });
    const ended = { $set: { previous_secrets: [] } };
    await ground.mongo.endpoints.updateOne({ _id: endpoint._id }, ended);
    expect(await explain({ id })).toMatchObject({ signed_with: [hints[0]], findings: [] });
  });

  it('computes the headers of an attempt from before they were stored', async () => {
    const { id, endpoint, headers } = await delivered();
    await change(id, { $unset: { 'attempts.0.request': '' } });
    const explained = await explain({ id });
    expect(explained).toMatchObject({ url: null, signed_with: [endpoint.shown.slice(-4)] });
    for (const { name, expected } of explained.headers) expect(expected).toBe(headers[name]);
    expect(explained.findings).toMatchObject([{ code: 'headers_not_kept' }]);
  });

  it("reports a receiver's wrong clock by its response", async () => {
    const date = new Date(Date.now() - 3_600_000).toUTCString();
    receiver.respond = () => ({ status: 400, headers: { Date: date } });
    const { id } = await delivered();
    receiver.respond = () => ({ status: 500 });
    const { findings } = await explain({ id });
    expect(findings).toMatchObject([{ code: 'clock' }]);
    expect(findings[0]?.says).toMatch(/3[56]\d\d s behind/);
  });

  it('requires the key of its own secret only', async () => {
    const { id, endpoint } = await delivered();
    const foreign = makeSealer(Buffer.alloc(32, 9));
    const lost = mintId('endpoint');
    await ground.endpoint({ _id: lost, secret: foreign.seal('whsec_AAAA', lost) });
    await expect(explain({ id })).resolves.toMatchObject({ findings: [] });
    const secret = foreign.seal(endpoint.shown, endpoint._id);
    await ground.mongo.endpoints.updateOne({ _id: endpoint._id }, { $set: { secret } });
    await expect(explain({ id })).rejects.toThrow(foreign.keyId);
  });

  it('throws if the event is no longer stored', async () => {
    const { id, event_id } = await delivered();
    await ground.mongo.events.deleteOne({ _id: event_id });
    await expect(explain({ id })).rejects.toThrow(`${event_id} is not stored any more`);
  });

  it('never shows a secret', async () => {
    const { id, timestamp, body, endpoint } = await delivered();
    const other = await ground.endpoint();
    await rotateSecret(ground.services, { id: endpoint._id, overlap: '1h' });
    const computed = [endpoint, other].map(({ shown }) => mac(shown, `${timestamp}.${body}`));
    const text = JSON.stringify(await explain({ id }, { computed: [...computed, 'x'] }));
    for (const { shown } of [endpoint, other]) expect(text).not.toContain(shown.slice(6, -4));
  });
});
