import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ProblemCode } from '../../doctor/problems.ts';
import { tollgate } from '../cli/command.ts';
import { codesOf, doctor, environment, expectProblem, findingsOf } from './examined.ts';
import type { Variables } from './examined.ts';

const KEY = randomBytes(32).toString('base64');

/** A broken setting, the problem that the doctor reports, and the variable that it names. */
const BROKEN: readonly [ProblemCode, string, Variables][] = [
  ['mongodb_uri_missing', 'MONGODB_URI', {}],
  ['encryption_key_missing', 'ENCRYPTION_KEY', { ENCRYPTION_KEY: '' }],
  ['encryption_key_invalid', 'ENCRYPTION_KEY', { ENCRYPTION_KEY: 'nearly-a-secret' }],
  ['encryption_key_invalid', 'ENCRYPTION_KEY_PREVIOUS', { ENCRYPTION_KEY_PREVIOUS: 'old-secret' }],
  [
    'encryption_key_repeated',
    'ENCRYPTION_KEY_PREVIOUS',
    { ENCRYPTION_KEY: KEY, ENCRYPTION_KEY_PREVIOUS: KEY },
  ],
  ['encryption_key_guessable', 'ENCRYPTION_KEY', { ENCRYPTION_KEY: '00'.repeat(32) }],
  ['variable_invalid', 'API_PORT', { API_PORT: '80800' }],
  ['variable_invalid', 'CHECKOUT_URL', { CHECKOUT_URL: 'pay.example' }],
  ['variable_invalid', 'WEBHOOK_TIMEOUT_MS', { WEBHOOK_TIMEOUT_MS: '60000' }],
  ['address_unencrypted', 'API_URL', { API_URL: 'http://api.pay.invalid' }],
  ['receivers_too_open', 'WEBHOOK_ALLOW_CIDRS', { WEBHOOK_ALLOW_CIDRS: '0.0.0.0/0' }],
];

describe('the configuration', () => {
  it.each(BROKEN)('is reported as %s, with the variable %s: %o', async (code, variable, broken) => {
    const findings = await doctor(environment(broken));
    expect(expectProblem(findings, code)).toMatch(new RegExp(`^${variable}\\b`));
    expect(findings.map(({ check }) => check)).toContain(`config.${variable}`);
    expect(JSON.stringify(findings)).not.toMatch(/secret(?!s|_)\b|0{20}/);
  });

  it('is reported as right, and all faults are reported at once', async () => {
    const right = await doctor(environment({ MONGODB_URI: 'mongodb://127.0.0.1:1' }));
    expect(right.find(({ check }) => check === 'config')?.state).toBe('ok');
    const faults = { API_PORT: 'x', SWEEP_SECONDS: '0', RETENTION_DAYS: '-1' };
    const checks = (await doctor(environment(faults))).map(({ check }) => check);
    const named = Object.keys(faults).map((name) => `config.${name}`);
    expect(checks).toEqual(expect.arrayContaining(named));
    expect(checks).not.toContain('config');
  });

  it('does not keep the other checks from running if it has faults', async () => {
    const findings = await doctor(environment({ API_PORT: 'x', API_URL: 'nowhere' }));
    const states = Object.fromEntries(findings.map(({ check, state }) => [check, state]));
    expect(states).toMatchObject({
      'temporal.version': 'ok',
      'api.address': 'skipped',
      'checkout.address': 'error',
      'mongodb.indexes': 'skipped',
      'machine.disk': expect.stringMatching(/ok|warning|error/) as unknown,
    });
  });

  it('is reported in words, with the remedy on the next line', async () => {
    const { code, stdout, stderr } = await tollgate(['doctor'], environment({ API_PORT: 'x' }));
    expect([code, stderr]).toEqual([2, '']);
    expect(stdout).toMatch(/^ERROR {4}Configuration +API_PORT: .*\n +Correct the variable /m);
    expect(stdout).toMatch(/\n\d+ errors?, \d+ warnings?, \d+ checks, \d+ skipped\n$/);
    expect(stdout).not.toMatch(/^\s+at /m);
  });

  it('of Temporal is reported if its files cannot be read', async () => {
    const outcome = await tollgate(
      ['doctor', '--json'],
      environment({ TEMPORAL_CONFIG_FILE: '/' }),
    );
    expect(expectProblem(findingsOf(outcome), 'temporal_config_unreadable')).toMatch(/EISDIR/);
    expect(codesOf(findingsOf(outcome))).toContain('mongodb_uri_missing');
  });
});
