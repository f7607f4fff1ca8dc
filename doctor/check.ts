/** A check: it is bounded in time, never throws, and shows no secret. */
import { inTime } from '../concurrency.ts';
import { PROBLEMS } from './problems.ts';
import type { ProblemCode } from './problems.ts';

/** The time limit of a check. Each of its calls has a shorter one. */
const CHECK_MS = 10_000;

export type State = 'ok' | 'warning' | 'error' | 'skipped';

/** The result of a check. Its members are printed as JSON. */
export interface Finding {
  /** The stable id of the check, such as `mongodb.indexes`. */
  readonly check: string;
  readonly name: string;
  readonly state: State;
  /** Null without a problem. */
  readonly code: ProblemCode | null;
  readonly found: string;
  readonly remedy: string | null;
}

export type Result =
  | { readonly state: 'ok' | 'skipped'; readonly found: string }
  | { readonly code: ProblemCode; readonly found: string };

export const ok = (found: string): Result => ({ state: 'ok', found });
export const skipped = (reason: string): Result => ({ state: 'skipped', found: reason });
export const problem = (code: ProblemCode, found: string): Result => ({ code, found });

export interface Check {
  readonly check: string;
  /** The subject, for people. */
  readonly name: string;
  readonly run: () => Promise<Result> | Result;
}

/** Runs a check. If it throws or takes longer than 10 s, returns that as a problem. */
export async function examine(check: Check): Promise<Finding> {
  const running = (async () => check.run())();
  const result = await inTime(running, CHECK_MS, late).catch((error: unknown) =>
    problem('check_failed', wordsOf(error)),
  );
  return findingOf(check, result);
}

/** Runs checks at the same time. Returns their findings in the order of the checks. */
export async function examineAll(checks: readonly Check[]): Promise<Finding[]> {
  return Promise.all(checks.map(async (check) => examine(check)));
}

/** Returns the checks as skipped for that reason. */
export function skipAll(checks: readonly Omit<Check, 'run'>[], reason: string): Finding[] {
  return checks.map((check) => findingOf(check, skipped(reason)));
}

export function findingOf({ check, name }: Omit<Check, 'run'>, result: Result): Finding {
  const found = withoutSecrets(result.found);
  if (!('code' in result)) {
    return { check, name, state: result.state, code: null, found, remedy: null };
  }
  const [state, remedy] = PROBLEMS[result.code];
  return { check, name, state, code: result.code, found, remedy };
}

const late = (): Error => new Error(`There was no result within ${CHECK_MS / 1_000} s.`);

/** Returns the first line of an error's message. A stack trace never begins on it. */
export function wordsOf(error: unknown): string {
  // If a name has several addresses, there is an error for each.
  const { errors = [] } = (error ?? {}) as { errors?: unknown[] };
  const { message, code } = (errors[0] ?? error ?? {}) as { message?: string; code?: string };
  const [line = ''] = (message ?? '').trim().split('\n');
  return line === '' ? `An error without a message (${code ?? 'unknown'}).` : line;
}

/** The user and password in a URL, API keys, and signing secrets. */
const SECRETS = [
  [/:\/\/\S*@/g, '://***@'],
  [/\bsk_(live|test)_\w+/g, 'sk_$1_***'],
  [/\bwhsec_[\w+/=-]+/g, 'whsec_***'],
] as const;

function withoutSecrets(text: string): string {
  return SECRETS.reduce((rest, [pattern, instead]) => rest.replaceAll(pattern, instead), text);
}
