import { describe, expect, it } from 'vitest';
import { searchTerms } from '../../domain/search.ts';
import { mintId } from '../../store/mint.ts';
import { entriesAbout, withoutAudit } from '../support/audit.ts';
import { requestAtOnce } from '../support/retry.ts';
import { openUpdates } from './updateground.ts';

const ground = await openUpdates('update-races');
const { mongo, temporal, api, put, update, read, beforeNextWrite, changeElsewhere } = ground;
const { goToBank, decide, settle, eventOf } = ground;

describe('a change of a payment, at the same time as', () => {
  it('an approval that is settled first, is refused and leaves the event as it was', async () => {
    const { _id } = await goToBank(await put({ metadata: { a: 'old' } }));
    await decide(_id, 'approve');
    beforeNextWrite(async () => settle(_id));
    const reply = await update(_id, { metadata: { a: 'new' } }, 'late');
    expect([reply.status, reply.json.error.code]).toEqual([409, 'payment_state_invalid']);
    expect(await read(_id)).toMatchObject({ status: 'completed', metadata: { a: 'old' } });
    expect((await eventOf(_id)).data.object.metadata).toEqual({ a: 'old' });
    expect(await mongo.requests.countDocuments({ payment_id: _id })).toBe(0);
  });

  it.each(['approve', 'expire'] as const)(
    'a settling that has read the payment, is in the event: %s',
    async (kind) => {
      const payment = await put({ metadata: { a: 'old' } });
      const { _id } = payment;
      if (kind === 'approve') {
        await goToBank(payment);
        await decide(_id, 'approve');
      }
      const request_id = mintId('request');
      const message = kind === 'approve' ? { kind: 'look' } : { kind, request_id };
      beforeNextWrite(async () => {
        expect((await update(_id, { metadata: { a: 'new' } })).status).toBe(200);
      });
      await temporal.askPayment(await read(_id), message as { kind: 'look' }, request_id);
      const { status, metadata } = await read(_id);
      expect([status, metadata]).toEqual([
        kind === 'approve' ? 'completed' : 'expired',
        { a: 'new' },
      ]);
      const event = await eventOf(_id);
      expect(event.data.object).toMatchObject({ status, metadata: { a: 'new' } });
      expect(event.data.object).toEqual((await api.send('GET', `/v1/payments/${_id}`)).json);
    },
  );

  it("the bank's decision, loses neither", async () => {
    const { _id } = await goToBank(await put());
    beforeNextWrite(async () => decide(_id, 'approve'));
    expect((await update(_id, { metadata: { a: 'new' } })).status).toBe(200);
    await settle(_id);
    expect(await read(_id)).toMatchObject({ status: 'completed', metadata: { a: 'new' } });
  });

  it('a visit to the bank, loses neither, and leaves no old search term', async () => {
    const payment = await put({ metadata: { a: 'old' } });
    const { _id } = payment;
    beforeNextWrite(async () => goToBank(payment));
    expect((await update(_id, { metadata: { a: 'new' } })).json.status).toBe('processing');
    const first = await read(_id);
    expect(first.found_by?.toSorted()).toEqual(searchTerms(first).toSorted());

    const other = await read((await put({ metadata: { a: 'old' } }))._id);
    await update(other._id, { metadata: { a: 'new' } });
    // The checkout page has read the payment before the change.
    await goToBank(other);
    const second = await read(other._id);
    expect(second).toMatchObject({ status: 'processing', metadata: { a: 'new' } });
    expect(second.found_by?.toSorted()).toEqual(searchTerms(second).toSorted());
  });

  it('a change by another server, keeps both', async () => {
    const { _id } = await put();
    beforeNextWrite(async () => changeElsewhere(_id, { theirs: '1' }));
    const reply = await update(_id, { metadata: { ours: '2' } }, 'two');
    expect(reply.json.metadata).toEqual({ theirs: '1', ours: '2' });
  });

  it('19 others, keeps all of them', async () => {
    const { _id } = await put();
    const replies = await requestAtOnce(20, async (n) =>
      update(_id, { metadata: { [`k${n}`]: 'v' } }, `k${n}`),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(Object.keys((await read(_id)).metadata)).toHaveLength(20);
    expect(await entriesAbout(mongo, _id)).toHaveLength(20);
  });

  it('19 repeats with the same key, has one effect and one response', async () => {
    const { _id } = await put();
    const replies = await requestAtOnce(20, async () =>
      update(_id, { metadata: { a: 'b' } }, 'crowd'),
    );
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(replies[0]!.status).toBe(200);
    expect(await entriesAbout(mongo, _id)).toHaveLength(1);
    expect(await mongo.requests.countDocuments({ payment_id: _id })).toBe(1);
  });

  it('a repeat on another server and a later change, has one effect', async () => {
    const { _id } = await put();
    let text = '';
    beforeNextWrite(async () => {
      const row = await mongo.requests.findOne({ payment_id: _id });
      text = await changeElsewhere(_id, { a: 'first' }, row!._id);
      await changeElsewhere(_id, { a: 'later' });
    });
    const reply = await update(_id, { metadata: { a: 'first' } }, 'pair');
    expect([reply.status, reply.text]).toEqual([200, text]);
    expect((await read(_id)).metadata).toEqual({ a: 'later' });
    expect(await entriesAbout(mongo, _id)).toEqual([]);
  });
});

describe('a process that dies during a change', () => {
  it('leaves nothing of it, and a repeat of the request does it', async () => {
    const { _id } = await put({ metadata: { a: 'old' } });
    const send = async () => update(_id, { metadata: { a: 'new' } }, 'again');
    expect((await withoutAudit(mongo, send)).status).toBe(500);
    expect((await read(_id)).metadata).toEqual({ a: 'old' });
    const row = await mongo.requests.findOne({ payment_id: _id });
    expect(row).toMatchObject({ k: 'again' });
    expect(row).not.toHaveProperty('response');
    expect((await send()).json.metadata).toEqual({ a: 'new' });
    expect(await entriesAbout(mongo, _id)).toHaveLength(1);
  });

  it('after its commit, has stored the response, so a repeat does not undo a later change', async () => {
    const { _id } = await put();
    const honest = mongo.transact.bind(mongo);
    mongo.transact = async (body) => {
      mongo.transact = honest;
      await honest(body);
      throw new Error('The server dies.');
    };
    expect((await update(_id, { metadata: { a: 'first' } }, 'lost')).status).toBe(500);
    await update(_id, { metadata: { a: 'later' } });
    const reply = await update(_id, { metadata: { a: 'first' } }, 'lost');
    expect([reply.status, reply.json.metadata]).toEqual([200, { a: 'first' }]);
    expect(reply.headers.get('idempotent-replayed')).toBe('true');
    expect((await read(_id)).metadata).toEqual({ a: 'later' });
  });
});
