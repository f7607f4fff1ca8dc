/**
 * Reads secrets from standard input. Every user of the machine can list the options of a running
 * command, and a shell keeps them in its history. Standard input is private.
 */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { invalid } from './refusals.ts';

/** Several times the longest secret. A longer input is probably the wrong file. */
const MAX_CHARACTERS = 1_024;

/** The options that may be `-`. So may the body of `explain`, which is not a secret. */
export interface SecretOptions {
  apiKey?: string;
  secret?: string;
  oldSecret?: readonly string[];
  /** Of `listen`, whether to show bodies. */
  body?: string | boolean;
  /** The secret that came from standard input. It must not be printed. */
  fromInput?: string;
}

/**
 * Returns the options with the secret from standard input in place of `-`. Throws `Refusal` if
 * several options are `-`, or if the input is empty or too long.
 */
export async function readSecrets<T extends SecretOptions>(options: T): Promise<T> {
  const { apiKey, secret, oldSecret, body } = options;
  const values = [apiKey, secret, ...(oldSecret ?? []), body];
  const dashes = values.filter((value) => value === '-').length;
  if (dashes === 0 || (dashes === 1 && body === '-')) return options;
  const param = apiKey === '-' ? 'api-key' : secret === '-' ? 'secret' : 'old-secret';
  if (dashes > 1) {
    const message =
      'Only one option can be -: set TOLLGATE_API_KEY or TOLLGATE_WEBHOOK_SECRET for the other.';
    throw invalid(param, message);
  }
  const line = await readLine(param);
  const filled = (value: string | undefined) => (value === '-' ? line : value);
  return {
    ...options,
    ...(apiKey !== undefined && { apiKey: filled(apiKey) }),
    ...(secret !== undefined && { secret: filled(secret) }),
    ...(oldSecret && { oldSecret: oldSecret.map(filled) }),
    fromInput: line,
  };
}

/** Returns the first line of standard input, without the spaces around it. */
async function readLine(param: string): Promise<string> {
  const text = process.stdin.isTTY ? await readTyped(param) : await readPiped();
  const secret = text.split('\n', 1).join().trim();
  if (secret !== '' && secret.length <= MAX_CHARACTERS) return secret;
  const limits = `a first line of 1 to ${MAX_CHARACTERS} characters`;
  throw invalid(param, `--${param}: standard input must have ${limits}.`);
}

async function readPiped(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += String(chunk);
    if (text.includes('\n') || text.length > MAX_CHARACTERS) break;
  }
  return text;
}

/** Reads a line from a terminal without showing it. Returns '' after Ctrl-C or Ctrl-D. */
async function readTyped(param: string): Promise<string> {
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const typed = createInterface({ input: process.stdin, output, terminal: true });
  process.stderr.write(`${param}: `);
  try {
    return await new Promise((resolve) => {
      typed.once('line', resolve);
      typed.once('SIGINT', () => resolve(''));
      typed.once('close', () => resolve(''));
    });
  } finally {
    typed.close();
    process.stderr.write('\n');
  }
}
