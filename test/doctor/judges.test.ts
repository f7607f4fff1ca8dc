/** The rules of checks whose faults a test cannot cause, and the table of all problems. */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { judgeEnd, judgeIdentity, judgeReady } from '../../doctor/addresses.ts';
import { examine, ok } from '../../doctor/check.ts';
import type { Result } from '../../doctor/check.ts';
import { judgeMemory, judgeSpace } from '../../doctor/machine.ts';
import { PROBLEMS } from '../../doctor/problems.ts';
import {
  judgePollers,
  judgeRetention,
  judgeStandalone,
  judgeSweep,
  judgeVersion,
} from '../../doctor/temporal.ts';
import { VERSION } from '../../version.ts';

const NOW = new Date('2026-01-31T12:00:00Z');
const ago = (seconds: number): Date => new Date(NOW.getTime() - seconds * 1_000);

/** A certificate of so many hours, with so many left. */
const lasting = (hours: number, left: number) => ({
  begins: ago((hours - left) * 3_600),
  ends: ago(-left * 3_600),
});

const address = { variable: 'API_URL', service: 'api', url: 'https://api.pay.example' } as const;
const expected = { keyIds: ['0a0b0c0d'], trustedHops: 1, isEmbedded: false };
const identity = (more: object) => ({
  status: 200,
  text: JSON.stringify({
    service: 'api',
    url: address.url,
    version: VERSION,
    key_id: '0a0b0c0d',
    forwarded: 1,
    ...more,
  }),
});
const sweep = (more: object) => ({
  isPaused: false,
  everySeconds: 30,
  lastAt: ago(20),
  isRunning: false,
  ...more,
});
const schedule = { everySeconds: 30, now: NOW };
const disk = { low: 'disk_low', full: 'disk_full' } as const;

const JUDGED: readonly [Result, string][] = [
  [judgeVersion('1.31.2'), 'temporal_too_old'],
  [judgeVersion('1.32.0-157.3'), 'ok'],
  [judgeVersion('2.0.0'), 'ok'],
  [judgeRetention(0.5), 'temporal_retention_short'],
  [judgeRetention(7), 'ok'],
  [judgeEnd(lasting(90 * 24, 13 * 24), NOW), 'certificate_ends_soon'],
  [judgeEnd(lasting(90 * 24, 15 * 24), NOW), 'ok'],
  [judgeEnd(lasting(12, 2), NOW), 'certificate_ends_soon'],
  [judgeEnd(lasting(12, 4), NOW), 'ok'],
  [judgeStandalone(false), 'standalone_activities_missing'],
  [judgeSweep(sweep({ lastAt: ago(151) }), schedule), 'sweep_late'],
  [judgeSweep(sweep({ lastAt: ago(149) }), schedule), 'ok'],
  [judgeSweep(sweep({ lastAt: ago(900), isRunning: true }), schedule), 'sweep_late'],
  [judgePollers([{ queue: 'webhooks', lastPolls: [ago(91)] }], NOW), 'workers_missing'],
  [judgePollers([{ queue: 'webhooks', lastPolls: [ago(200), ago(30)] }], NOW), 'ok'],
  [judgeSpace({ freeBytes: 14, totalBytes: 100 }, disk), 'disk_low'],
  [judgeSpace({ freeBytes: 2, totalBytes: 100 }, disk), 'disk_full'],
  [judgeSpace({ freeBytes: 50, totalBytes: 100 }, disk), 'ok'],
  [judgeMemory(100 * 1024 ** 2), 'memory_low'],
  [judgeMemory(1024 ** 3), 'ok'],
  [judgeIdentity(identity({}), address, expected), 'ok'],
  [judgeIdentity(identity({ version: '0.0.1' }), address, expected), 'version_differs'],
  [judgeIdentity({ status: 200, text: 'null' }, address, expected), 'address_not_ours'],
  [judgeReady({ status: 200, text: '{"status":"degraded"}' }), 'server_degraded'],
  [judgeReady({ status: 503, text: '{"status":"unavailable"}' }), 'server_degraded'],
  [judgeReady({ status: 404, text: '' }), 'skipped'],
];

describe('a rule', () => {
  it.each(JUDGED)('judges %o as %s', (result, outcome) => {
    expect('code' in result ? result.code : result.state).toBe(outcome);
  });
});

function fail(): never {
  throw new Error('mongodb://u:p@ss@db and sk_test_1234 and whsec_abc+/=\n    at f (x.ts:1)');
}

describe('examine', () => {
  const check = { check: 'some.check', name: 'Some check' };

  it('reports an error as a problem, without its stack and secrets', async () => {
    const found = 'mongodb://***@db and sk_test_*** and whsec_***';
    expect(await examine({ ...check, run: fail })).toMatchObject({ code: 'check_failed', found });
  });

  it('returns what a check has found', async () => {
    const finding = { ...check, state: 'ok', code: null, found: 'Right.', remedy: null };
    expect(await examine({ ...check, run: () => ok('Right.') })).toEqual(finding);
  });
});

describe('every problem', () => {
  const here = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.ts'));
  const texts = [...here, '../temporal/tls.test.ts'].map((name) =>
    readFileSync(path.join(import.meta.dirname, name), 'utf8'),
  );

  it.each(Object.entries(PROBLEMS))('has a test and a remedy of one sentence: %s', (code, all) => {
    expect(texts.some((text) => text.includes(`'${code}'`))).toBe(true);
    expect(all[1]).toMatch(/^[A-Z].*[^.]\.$/);
  });
});
