/** Runs `tollgate doctor` on an installation, and looks for a problem in what it found. */
import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { Finding } from '../../doctor/check.ts';
import { PROBLEMS } from '../../doctor/problems.ts';
import type { ProblemCode } from '../../doctor/problems.ts';
import { tollgate } from '../cli/command.ts';
import type { Outcome } from '../cli/command.ts';
import { testServers } from '../support/run.ts';
import { NAMESPACE } from '../support/worker.ts';

export type Variables = Readonly<Record<string, string>>;

/** An environment in which only the addresses are wrong, because no server runs. */
export const environment = (more: Variables = {}): Variables => ({
  TEMPORAL_ADDRESS: testServers().temporalAddress,
  TEMPORAL_NAMESPACE: NAMESPACE,
  ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  DATA_DIR: 'no-such-folder',
  ...more,
});

/** Returns what the command found. Throws if its output is not the report. */
export function findingsOf({ stdout, stderr }: Outcome): Finding[] {
  expect(stderr).toBe('');
  return (JSON.parse(stdout) as { checks: Finding[] }).checks;
}

export async function doctor(env: Variables): Promise<Finding[]> {
  return findingsOf(await tollgate(['doctor', '--json'], env));
}

export const codesOf = (findings: readonly Finding[]): (ProblemCode | null)[] =>
  findings.map(({ code }) => code);

/** Expects the problem with its state and remedy, and returns what was found. */
export function expectProblem(findings: readonly Finding[], code: ProblemCode): string {
  const [state, remedy] = PROBLEMS[code];
  const found = findings.find((each) => each.code === code);
  expect({ codes: codesOf(findings), state: found?.state, remedy: found?.remedy }).toEqual({
    codes: expect.arrayContaining([code]) as unknown,
    state,
    remedy,
  });
  return found?.found ?? '';
}
