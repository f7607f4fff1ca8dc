import { describe, expect, it } from 'vitest';
import { CHECK_CODES } from '../../domain/check.ts';
import type { Endpoint } from '../../domain/endpoint.ts';
import { tenantOf } from '../../domain/merchant.ts';
import { checkReceiver } from '../../operations/check-receiver.ts';
import { Refusal } from '../../operations/refusal.ts';
import { parseRanges } from '../../outbound/address.ts';
import { makeOutbound } from '../../outbound/post.ts';
import { webhooks } from '../../sdk/index.ts';
import { closeAfterTests } from '../support/close.ts';
import { openReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { refusalOf, useGround } from './endpoints.ts';

const ground = await useGround('check_receiver');
const { mongo } = ground;
const opened = parseRanges(['127.0.0.1/32']);
const outbound = closeAfterTests(makeOutbound({ opened, timeoutMs: 15_000 }));

/** The requests of a whole check. */
const ALL_REQUESTS = 31;
const RULES = CHECK_CODES.filter((check) => check !== 'method');

const check = async ({ _id: id }: Pick<Endpoint, '_id'>, isUnwanted = () => false) =>
  checkReceiver({ ...ground.services, outbound }, { id, isUnwanted });

/** Opens a receiver that verifies with the secrets of the endpoint it returns. */
async function openRight(over: Partial<Endpoint> = {}) {
  const receiver = closeAfterTests(await openReceiver());
  const endpoint = await ground.endpoint({ url: `${receiver.url}?token=t0ken`, ...over });
  receiver.respond = (_, { raw, headers }) => {
    try {
      webhooks.verify(raw, headers, endpoint.shown);
      return { status: 200 };
    } catch {
      return { status: 401, body: `not signed with ${endpoint.shown}` };
    }
  };
  return { receiver, endpoint };
}

const refusedAs = (error: unknown): string => (error instanceof Refusal ? error.code : 'fault');

const read = async ({ _id }: Pick<Endpoint, '_id'>) => mongo.checks.findOne({ _id });
const auditOf = async ({ _id }: Pick<Endpoint, '_id'>) =>
  mongo.auditEntries.find({ 'object.id': _id }).toArray();

function textsOf({ requests }: Receiver): string[] {
  return requests.map(({ raw }) => raw.toString());
}

describe('checkReceiver', () => {
  it('stores a report without secrets, after a fixed number of marked requests', async () => {
    const { receiver, endpoint } = await openRight();
    await check(endpoint);
    const row = await read(endpoint);
    const { findings = [], url } = row?.report ?? {};
    expect(url).toBe(`${receiver.url}?...`);
    expect(findings.map((finding) => finding.check)).toEqual(RULES);
    expect(new Set(findings.map(({ verdict }) => verdict))).toEqual(new Set(['pass']));
    expect(receiver.requests).toHaveLength(ALL_REQUESTS);
    for (const text of textsOf(receiver)) {
      expect(text).toMatch(/"livemode": ?false/);
      expect(text).toMatch(/"tollgate_example": ?"true"/);
    }
    const stored = JSON.stringify([row, await auditOf(endpoint)]);
    for (const secret of [endpoint.shown.slice(6), endpoint.secret, 't0ken']) {
      expect(stored).not.toContain(secret);
    }
  });

  it('signs with every valid secret, so a receiver that has the old one passes', async () => {
    const { receiver, endpoint } = await openRight();
    const replaced = await ground.endpoint({ url: receiver.url });
    const old = {
      secret: ground.services.sealer.seal(endpoint.shown, replaced._id),
      hint: 'old',
      expires_at: new Date(Date.now() + 60_000),
    };
    await mongo.endpoints.updateOne({ _id: replaced._id }, { $set: { previous_secrets: [old] } });
    await check(replaced);
    const verdicts = (await read(replaced))?.report?.findings.map(({ verdict }) => verdict);
    expect(new Set(verdicts)).toEqual(new Set(['pass']));
  });

  it('runs once if it is asked for twice at the same time', async () => {
    const { receiver, endpoint } = await openRight();
    const outcome = async () => check(endpoint).then(() => 'checked', refusedAs);
    const both = await Promise.all([outcome(), outcome()]);
    expect(both.toSorted()).toEqual(['checked', 'too_many_requests']);
    expect(receiver.requests).toHaveLength(ALL_REQUESTS);
    expect(await auditOf(endpoint)).toHaveLength(1);
  });

  it('begins again a minute after a check that died', async () => {
    const { receiver, endpoint } = await openRight();
    const dead = { _id: endpoint._id, m: endpoint.m, run: 'dead', expires_at: new Date(2 ** 42) };
    await mongo.checks.insertOne({ ...dead, busy_until: new Date(Date.now() + 60_000) });
    expect(await refusalOf(check(endpoint))).toEqual(['too_many_requests', null]);
    expect(receiver.requests).toEqual([]);
    await mongo.checks.updateOne({ _id: endpoint._id }, { $set: { busy_until: new Date() } });
    await check(endpoint);
    expect((await read(endpoint))?.report?.findings).toHaveLength(RULES.length);
  });

  it('stops when nobody wants its result, keeps the former report, and lets another begin', async () => {
    const { receiver, endpoint } = await openRight();
    await check(endpoint);
    const before = (await read(endpoint))?.report;
    await check(endpoint, () => receiver.requests.length >= ALL_REQUESTS + 4);
    expect(receiver.requests).toHaveLength(ALL_REQUESTS + 4);
    const row = await read(endpoint);
    expect(row?.report).toEqual(before);
    expect(row?.busy_until.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it('lets another begin after a fault of its own', async () => {
    const { endpoint } = await openRight();
    const faulty = { post: async () => Promise.reject(new Error('It is broken.')) };
    const broken = { ...ground.services, outbound: faulty };
    const how = { id: endpoint._id, isUnwanted: () => false };
    await expect(checkReceiver(broken, how)).rejects.toThrow('It is broken.');
    await check(endpoint);
    expect((await read(endpoint))?.report).toBeDefined();
  });

  it.each<[string, string, string]>([
    ['of a private address', 'http://10.1.2.3/hooks', 'address_blocked'],
    ['of this machine, by an internal name', 'http://localhost:1/hooks', 'address_blocked'],
    ['on a port of another service', 'http://127.0.0.1:6379/', 'address_blocked'],
  ])('sends nothing to the URL %s', async (_, url, error) => {
    const endpoint = await ground.endpoint({ url });
    await check(endpoint);
    const [genuine, ...rest] = (await read(endpoint))?.report?.findings ?? [];
    expect(genuine).toMatchObject({ verdict: 'fail', exchanges: [{ status: null, error }] });
    expect(new Set(rest.map(({ cause }) => cause))).toEqual(new Set(['not_accepted']));
  });

  it('checks a disabled endpoint, before it is enabled again', async () => {
    const { endpoint } = await openRight({ status: 'disabled', disabled_reason: 'failing' });
    await check(endpoint);
    expect((await read(endpoint))?.report?.findings[0]?.verdict).toBe('pass');
  });

  it('refuses live mode and deleted endpoints, and sends and writes nothing', async () => {
    const live = await openRight({ m: tenantOf(ground.merchant, 'live') });
    expect(await refusalOf(check(live.endpoint))).toEqual(['parameter_invalid', 'id']);
    const deleted = await openRight({ status: 'deleted' });
    expect(await refusalOf(check(deleted.endpoint))).toEqual(['resource_missing', 'id']);
    for (const { receiver, endpoint } of [live, deleted]) {
      expect(receiver.requests).toEqual([]);
      expect([await read(endpoint), await auditOf(endpoint)]).toEqual([null, []]);
    }
  });
});
