import { describe, expect, it } from 'vitest';
import type { CheckReport } from '../../domain/check.ts';
import { mintId, mintToken } from '../../store/mint.ts';
import { beginCheck, endCheck, findCheck } from '../../store/checks.ts';
import { makeEntry } from '../support/audit.ts';
import { useDatabase } from './database.ts';

const { mongo } = await useDatabase('checks');
const m = 'mer_1:test';
const NOW = new Date('2026-05-04T03:02:01.000Z');
const LATER = new Date('2026-05-04T03:03:01.000Z');
const report: CheckReport = { at: NOW, url: 'https://shop.example/', findings: [] };

const runOf = (_id: string, run = mintToken()) => {
  return { _id, m, run, busy_until: LATER, expires_at: new Date('2026-06-01') };
};
const begin = async (run: ReturnType<typeof runOf>, now = NOW) => {
  const entry = makeEntry({ merchantId: 'mer_1', objectId: run._id });
  return beginCheck(mongo, { ...run, now }, entry);
};
const entriesOf = async (id: string) => mongo.auditEntries.countDocuments({ 'object.id': id });

describe('beginCheck', () => {
  it('lets one of two begin, with one audit entry, whether or not there was a check before', async () => {
    const id = mintId('endpoint');
    for (const [nth, now] of [NOW, LATER].entries()) {
      const runs = [runOf(id), runOf(id)].map((run) => ({
        ...run,
        busy_until: new Date(now.getTime() + 60_000),
      }));
      const begun = await Promise.all(runs.map(async (run) => begin(run, now)));
      expect(begun.filter(Boolean)).toHaveLength(1);
      expect(await entriesOf(id)).toBe(nth + 1);
      expect((await findCheck(mongo, { m, _id: id }))?.run).toBe(runs[begun.indexOf(true)]?.run);
    }
  });

  it('refuses a second check until the first one has ended, or should have', async () => {
    const first = runOf(mintId('endpoint'));
    expect(await begin(first)).toBe(true);
    expect(await begin(runOf(first._id), new Date(LATER.getTime() - 1))).toBe(false);
    await endCheck(mongo, first, { now: NOW });
    expect(await begin(runOf(first._id))).toBe(true);
    expect(await begin(runOf(first._id), LATER)).toBe(true);
    expect(await entriesOf(first._id)).toBe(3);
  });
});

describe('endCheck', () => {
  it('keeps the former report if the run has none', async () => {
    const first = runOf(mintId('endpoint'));
    await begin(first);
    await endCheck(mongo, first, { now: NOW, report });
    const second = runOf(first._id);
    expect(await begin(second)).toBe(true);
    await endCheck(mongo, second, { now: NOW });
    expect(await findCheck(mongo, first)).toEqual({ ...second, busy_until: NOW, report });
  });

  it('writes nothing for a run that was taken for dead', async () => {
    const dead = runOf(mintId('endpoint'));
    await begin(dead);
    const second = runOf(dead._id);
    await begin(second, LATER);
    await endCheck(mongo, dead, { now: LATER, report });
    expect(await findCheck(mongo, dead)).toEqual(second);
  });
});

describe('findCheck', () => {
  it("finds none of another tenant's endpoint", async () => {
    const run = runOf(mintId('endpoint'));
    await begin(run);
    expect(await findCheck(mongo, { m: 'mer_2:test', _id: run._id })).toBeNull();
  });
});
