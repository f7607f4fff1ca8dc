import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseRanges } from '../../outbound/address.ts';
import { deliverWebhook } from '../../activities/deliver.ts';
import { makeGate } from '../../outbound/gate.ts';
import { makeOutbound } from '../../outbound/post.ts';
import type { Outbound } from '../../outbound/post.ts';
import { mintId } from '../../store/mint.ts';
import { makeSealer } from '../../store/seal.ts';
import { rotateSecret } from '../../operations/change-endpoint.ts';
import { explainDelivery } from '../../webhooks/explain.ts';
import type { ExplainWish } from '../../webhooks/explain.ts';
import { sealer } from '../support/endpoint.ts';
import { openReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { refusalOf, useGround } from '../operations/endpoints.ts';

const ground = useGround('webhooks_explain');
let receiver: Receiver;
let outbound: Outbound;
beforeAll(async () => {
  receiver = await openReceiver();
  receiver.answer = () => ({ status: 500 });
  outbound = makeOutbound({ opened: parseRanges(['127.0.0.1/32']), timeoutMs: 5_000 });
});
afterAll(async () => {
  await outbound.close();
  await receiver.close();
});

/** Makes the next attempt of a delivery as the worker does; it fails, and another is due. */
async function attempt(id: string): Promise<void> {
  const { mongo, temporal } = ground.services;
  await mongo.deliveries.updateOne({ _id: id }, { $set: { next_attempt_at: new Date() } });
  const gate = makeGate({ slots: 10, now: Date.now, random: Math.random });
  const scheduleSeconds = [0, 9, 9];
  const log = { info: () => undefined };
  const deps = { mongo, temporal, outbound, gate, sealer, scheduleSeconds, version: '1', log };
  await deliverWebhook(deps, { delivery_id: id }).catch(() => undefined);
}

/** A delivery with so many attempts, what the receiver got of the last one, and its secret. */
async function delivered(count = 1) {
  const endpoint = await ground.endpoint({ url: receiver.url });
  const { _id: id, event_id } = await ground.delivery(endpoint);
  for (let number = 0; number < count; number += 1) await attempt(id);
  const { headers, raw } = receiver.requests.at(-1)!;
  const timestamp = String(headers['service-timestamp']);
  return { id, event_id, endpoint, headers, timestamp, body: raw.toString() };
}

const explain = async (wish: ExplainWish) => explainDelivery(ground.services, wish);
const mac = (secret: string, message: string): string =>
  createHmac('sha256', secret).update(message).digest('hex');

describe('explainDelivery refuses', () => {
  it('what was never sent, or not so often', async () => {
    const skipped = await ground.delivery(await ground.endpoint(), { state: 'skipped' });
    expect(await refusalOf(explain({ id: skipped._id }))).toEqual(['parameter_invalid', 'id']);
    expect(await refusalOf(explain({ id: 'dlv_1' }))).toEqual(['resource_missing', 'id']);
    const { id } = await delivered(2);
    for (const wrong of ['0', '3', '01', 'last']) {
      const ask = explain({ id, attempt: wrong });
      expect(await refusalOf(ask)).toEqual(['parameter_invalid', 'attempt']);
    }
  });

  it('what is not kept any more', async () => {
    const { id, event_id } = await delivered();
    await ground.mongo.events.deleteOne({ _id: event_id });
    expect(await refusalOf(explain({ id }))).toEqual(['resource_missing', 'id']);
  });
});

describe('explainDelivery', () => {
  it('answers the signed bytes and the headers of the last attempt as they were sent', async () => {
    const { id, event_id, endpoint, headers, timestamp, body } = await delivered(2);
    const told = await explain({ id });
    expect(told).toMatchObject({
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
    expect(told.forms.map(({ signed }) => signed)).toEqual([
      `${timestamp}.${body}`,
      `${event_id}.${timestamp}.${body}`,
    ]);
    expect(told.headers).toHaveLength(5);
    for (const { name, expected } of told.headers) {
      expect([name, expected]).toEqual([name, headers[name]]);
    }
  });

  it('answers another attempt when that is asked for', async () => {
    const { id } = await delivered(2);
    const first = receiver.requests.at(-2)!.headers;
    const told = await explain({ id, attempt: '1' });
    const sent = Object.fromEntries(told.headers.map(({ name, expected }) => [name, expected]));
    expect([told.attempt, sent]).toEqual([
      1,
      expect.objectContaining({
        'service-timestamp': first['service-timestamp'],
        'service-signature': first['service-signature'],
        'webhook-signature': first['webhook-signature'],
      }),
    ]);
  });

  it('says that what fits is right', async () => {
    const { id, headers, timestamp, body, endpoint } = await delivered();
    const given = { 'service-signature': String(headers['service-signature']) };
    const computed = [mac(endpoint.shown, `${timestamp}.${body}`)];
    const told = await explain({ id, headers: given, computed });
    expect(told.findings.map(({ code }) => code)).toEqual(['fits', 'prefix']);
    expect(told.headers.find(({ name }) => name === 'service-signature')?.fits).toBe(true);
  });

  it.each<[string, (timestamp: string, body: string) => string, string]>([
    [
      'JSON that was parsed and written again',
      (timestamp, body) => `${timestamp}.${JSON.stringify(JSON.parse(body), null, 2)}`,
      'json_indent_2',
    ],
    ['a missing timestamp', (_, body) => body, 'timestamp_missing'],
    [
      "the receiver's own clock",
      (timestamp, body) => `${Number(timestamp) + 7}.${body}`,
      'timestamp_clock',
    ],
  ])('finds %s', async (_, message, code) => {
    const { id, timestamp, body, endpoint } = await delivered();
    const computed = [mac(endpoint.shown, message(timestamp, body))];
    const { findings } = await explain({ id, computed });
    expect(findings).toEqual([
      expect.objectContaining({ code, kind: 'mistake', about: 'service-signature' }),
      expect.objectContaining({ code: 'prefix', kind: 'note' }),
    ]);
  });

  it("finds another attempt's signature", async () => {
    const { id, endpoint, body } = await delivered(2);
    // An hour before the other one; without its headers the time of an attempt is what it signed.
    const at = new Date(Date.now() - 3_600_000);
    const old = String(Math.floor(at.getTime() / 1_000));
    const early = { $set: { 'attempts.0.at': at }, $unset: { 'attempts.0.request': '' as const } };
    await ground.mongo.deliveries.updateOne({ _id: id }, early);
    const { findings } = await explain({ id, computed: [mac(endpoint.shown, `${old}.${body}`)] });
    expect(findings[0]).toMatchObject({ code: 'other_attempt' });
    expect(findings[0]?.says).toContain('the signature of attempt 1');
  });

  it('finds the secret of another endpoint, also of a deleted one', async () => {
    const { id, timestamp, body } = await delivered();
    for (const status of ['disabled', 'deleted'] as const) {
      const other = await ground.endpoint({ status });
      const computed = [mac(other.shown, `${timestamp}.${body}`)];
      const [found] = (await explain({ id, computed })).findings;
      expect(found).toMatchObject({ code: 'other_secret', kind: 'mistake' });
      const kind = status === 'deleted' ? 'deleted' : 'other';
      expect(found?.says).toContain(`the secret of your ${kind} endpoint ${other._id}`);
    }
    const stranger = await ground.endpoint({ m: 'mer_1:test' });
    const computed = [mac(stranger.shown, `${timestamp}.${body}`)];
    const { findings } = await explain({ id, computed });
    expect(findings.map(({ code }) => code)).toEqual(['unexplained']);
  });

  it('calls nothing wrong that was signed with a secret which has been replaced', async () => {
    const { id, endpoint, headers, timestamp, body } = await delivered();
    const { secret } = await rotateSecret(ground.services, { id: endpoint._id, overlap: '0' });
    const right = mac(endpoint.shown, `${timestamp}.${body}`);
    const told = await explain({ id, computed: [`v1=${right}`] });
    expect(told.signed_with).toEqual([]);
    expect(told.findings.map(({ code, kind }) => [code, kind])).toEqual([
      ['fits', 'note'],
      ['secret_replaced', 'note'],
    ]);
    const shown = told.headers.find(({ name }) => name === 'service-signature');
    expect(shown?.expected).toBe(headers['service-signature']);
    const [found] = (await explain({ id, computed: [mac(String(secret), `${timestamp}.${body}`)] }))
      .findings;
    expect(found).toMatchObject({ code: 'other_secret' });
    expect(found?.says).toContain('the newest secret of this endpoint');
  });

  it('knows each secret of an attempt that had several', async () => {
    const endpoint = await ground.endpoint({ url: receiver.url });
    const { secret } = await rotateSecret(ground.services, { id: endpoint._id, overlap: '1h' });
    const { _id: id } = await ground.delivery(endpoint);
    await attempt(id);
    const hints = [String(secret).slice(-4), endpoint.shown.slice(-4)];
    expect(await explain({ id })).toMatchObject({ signed_with: hints, findings: [] });
    const ended = { $set: { previous_secrets: [] } };
    await ground.mongo.endpoints.updateOne({ _id: endpoint._id }, ended);
    const told = await explain({ id });
    expect(told.signed_with).toEqual([hints[0]]);
    expect(told.findings).toEqual([expect.objectContaining({ code: 'secret_replaced' })]);
    expect(told.findings[0]?.says).toMatch(/signed 2 times, once with a secret/);
  });

  it('computes the headers of an attempt from before they were kept', async () => {
    const { id, endpoint, headers } = await delivered();
    await ground.mongo.deliveries.updateOne({ _id: id }, { $unset: { 'attempts.0.request': '' } });
    const told = await explain({ id });
    expect(told).toMatchObject({ url: null, signed_with: [endpoint.shown.slice(-4)] });
    for (const { name, expected } of told.headers) expect(expected).toBe(headers[name]);
    expect(told.findings.map(({ code }) => code)).toEqual(['headers_not_kept']);
  });

  it("sees a receiver's wrong clock in its answer", async () => {
    const date = new Date(Date.now() - 3_600_000).toUTCString();
    receiver.answer = () => ({ status: 400, headers: { Date: date } });
    const { id } = await delivered();
    receiver.answer = () => ({ status: 500 });
    const { findings } = await explain({ id });
    expect(findings.map(({ code }) => code)).toEqual(['clock']);
    expect(findings[0]?.says).toMatch(/3[56]\d\d s behind/);
  });

  it('does without secrets of others that no key opens, and says which key its own needs', async () => {
    const { id, endpoint } = await delivered();
    const foreign = makeSealer(Buffer.alloc(32, 9));
    const lost = mintId('endpoint');
    await ground.endpoint({ _id: lost, secret: foreign.seal('whsec_AAAA', lost) });
    await expect(explain({ id })).resolves.toMatchObject({ findings: [] });
    const secret = foreign.seal(endpoint.shown, endpoint._id);
    await ground.mongo.endpoints.updateOne({ _id: endpoint._id }, { $set: { secret } });
    await expect(explain({ id })).rejects.toThrow(foreign.keyId);
  });

  it('shows no secret, whatever it finds', async () => {
    const { id, timestamp, body, endpoint } = await delivered();
    const other = await ground.endpoint();
    await rotateSecret(ground.services, { id: endpoint._id, overlap: '1h' });
    const computed = [endpoint, other].map(({ shown }) => mac(shown, `${timestamp}.${body}`));
    const text = JSON.stringify(await explain({ id, computed: [...computed, 'x'] }));
    for (const { shown } of [endpoint, other]) expect(text).not.toContain(shown.slice(6, -4));
  });
});
