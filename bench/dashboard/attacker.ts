/** Sends guesses in a process of its own, so that they do not slow down the measurement. */
import http from 'node:http';
import { randomInt } from 'node:crypto';
import { mintToken } from '../../store/mint.ts';

export const ATTACKS = ['one network', 'networks', 'unknown accounts', 'codes', 'links'] as const;

export interface Attack {
  readonly name: (typeof ATTACKS)[number];
  readonly url: string;
  readonly connections: number;
  /** The end, in Unix milliseconds. */
  readonly until: number;
  /** The account that is attacked. */
  readonly email: string;
  /** The cookie of somebody who has entered the right password. */
  readonly pending: string;
}

interface Guess {
  readonly path: string;
  readonly form: Record<string, string>;
  readonly headers?: Record<string, string>;
}

const network = (): string => `203.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;

function guessOf({ name, email, pending }: Attack): Guess {
  const password = `a wrong password ${randomInt(1e9)}`;
  const headers = { 'X-Forwarded-For': name === 'one network' ? '203.0.113.7' : network() };
  if (name === 'codes') {
    const code = String(randomInt(1e6)).padStart(6, '0');
    return { path: '/sign-in/code', form: { code }, headers: { ...headers, Cookie: pending } };
  }
  if (name === 'links') {
    const kind = randomInt(2) === 0 ? 'invite' : 'reset';
    return { path: `/${kind}/${mintToken()}`, form: { password }, headers };
  }
  const form = { email: name === 'unknown accounts' ? `${randomInt(1e9)}@a.example` : email };
  return { path: '/sign-in', form: { ...form, password }, headers };
}

async function send(agent: http.Agent, url: string, guess: Guess): Promise<string> {
  return new Promise((resolve) => {
    const body = new URLSearchParams(guess.form).toString();
    const headers = {
      ...guess.headers,
      Origin: url,
      'Content-Type': 'application/x-www-form-urlencoded',
      'Content-Length': String(body.length),
    };
    const request = http.request(url + guess.path, { method: 'POST', agent, headers });
    request.on('response', (response) => {
      const redirect = response.headers.location === undefined ? '' : ' away';
      response.resume().on('close', () => resolve(`${response.statusCode}${redirect}`));
    });
    request.on('error', () => resolve('lost'));
    request.end(body);
  });
}

const [, , text] = process.argv;
if (text !== undefined && import.meta.filename === process.argv[1]) {
  const attack = JSON.parse(text) as Attack;
  const agent = new http.Agent({ keepAlive: true, maxSockets: attack.connections });
  const tally: Record<string, number> = {};
  const loop = async (): Promise<void> => {
    while (Date.now() < attack.until) {
      const status = await send(agent, attack.url, guessOf(attack));
      tally[status] = (tally[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: attack.connections }, loop));
  console.log(JSON.stringify(tally));
  process.exit(0);
}
