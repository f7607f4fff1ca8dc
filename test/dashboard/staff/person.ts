/** A user with an authenticator app, for tests. */
import { Secret, TOTP } from 'otpauth';
import type { Role, User } from '../../../domain/user.ts';
import type { Browser, Ground, Reply } from '../harness.ts';
import { untilAccepted } from '../../support/retry.ts';
import { PASSWORD } from '../harness.ts';

export type Person = Browser & { readonly user: User };

/** The app and the recovery codes of a user with a second step. */
export interface App {
  /** Returns the code of a step: 0 is the current one, and 1 the next one. */
  code(step?: number): string;
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

const STEP_MS = 30_000;

/** Returns the code that an authenticator app shows at a step from now. */
export function codeOf(secret: string, step = 0): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  return totp.generate({ timestamp: Date.now() + step * STEP_MS });
}

/** Starts the setup on the account's page. Returns the secret that the page shows. */
export async function setUp(browser: Browser): Promise<string> {
  const { html } = await browser.post('/account/second-step');
  return /<code>([A-Z2-7 ]{32,})<\/code>/.exec(html)?.[1]?.replaceAll(' ', '') ?? '';
}

/** Returns the recovery codes on a page. */
export const recoveryCodesIn = (html: string): string[] =>
  [...html.matchAll(/<code>((?:[0-9a-z]{4}-){3}[0-9a-z]{4})<\/code>/g)].map(
    ([, code = '']) => code,
  );

/** Turns the second step on. Begins again if the code's time ends before it is checked. */
async function turnOn(person: Person): Promise<Omit<App, 'code'>> {
  const secret = await setUp(person);
  const { html } = await person.post('/account/second-step/on', { code: codeOf(secret, -1) });
  const recoveryCodes = recoveryCodesIn(html);
  return recoveryCodes.length === 0 ? turnOn(person) : { secret, recoveryCodes };
}

/**
 * Signs a new user in and turns the second step on with the code of the step before the current
 * one, so that the test can use the current and the next one.
 */
export async function withApp(ground: Ground, role: Role = 'owner'): Promise<Person & App> {
  const person = await ground.signIn(role);
  const { secret, recoveryCodes } = await turnOn(person);
  const app: App = { secret, recoveryCodes, code: (step = 0) => codeOf(secret, step) };
  return Object.assign(person, app);
}

/** Enters the right password in a new browser. Returns the browser, which waits for the code. */
export async function enterPassword(ground: Ground, { user }: Pick<Person, 'user'>) {
  const browser = ground.browse();
  const form = { email: user.email, password: PASSWORD };
  const reply = await untilAccepted(async () => browser.post('/sign-in', form));
  return Object.assign(browser, { reply });
}

/** Returns true if somebody is signed in with the browser. */
export const isSignedIn = async (browser: Browser): Promise<boolean> =>
  (await browser.get('/account')).status === 200;

/** Returns the statuses, in order, of replies to requests that were sent at once. */
export const statusesOf = (replies: readonly Reply[]): number[] =>
  replies.map(({ status }) => status).toSorted((a, b) => a - b);
