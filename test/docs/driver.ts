/** Makes the same calls with the clients in TypeScript, Python and PHP. */
import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import path from 'node:path';
import { Tollgate, webhooks } from '../../sdk/index.ts';
import { PROJECT } from '../support/servers/programs.ts';

export interface Call {
  /** Such as `payments.create`; `verify` for a webhook. */
  readonly name: string;
  readonly args: readonly unknown[];
  readonly key?: string;
  readonly settings: Settings;
}

export interface Settings {
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly maxRetries: number;
}

/** The result of a call, with the field names of the Python client. */
export interface Outcome {
  // Tests read nested values, and their assertions check the types.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly value?: any;
  readonly error?: Readonly<Record<string, unknown>>;
}

export interface Driver {
  make(call: Call): Promise<Outcome>;
  close(): Promise<void>;
}

const CLIENTS = path.join(PROJECT, 'docs', 'clients');
/** The program and its options that run a file with the client. */
export const COMMANDS: Readonly<Record<string, readonly [string, readonly string[]]>> = {
  Python: ['python3', []],
  PHP: ['php', ['-d', `include_path=${CLIENTS}`]],
};
export const ENVIRONMENT = {
  PATH: process.env['PATH'] ?? '',
  PYTHONPATH: CLIENTS,
  PYTHONDONTWRITEBYTECODE: '1',
};

/** Arrives as a decimal number in Python and PHP. JavaScript cannot write one without cents. */
export const DECIMAL = '19.00';

/** Returns true if this machine can run the client of the language. */
export function hasRuntime(language: string): boolean {
  if (language === 'TypeScript') return true;
  if (language === 'Python') return spawnSync('python3', ['--version']).status === 0;
  return spawnSync('php', ['-r', 'exit(extension_loaded("curl") ? 0 : 1);']).status === 0;
}

/** Returns the name of a group of tests, with the reason if they are skipped. */
export const titleOf = (language: string): string =>
  `the client in ${language}${hasRuntime(language) ? '' : ', which is not installed here'}`;

export const LANGUAGES = ['TypeScript', 'Python', 'PHP'] as const;

export const openDriver = (language: string): Driver =>
  language === 'TypeScript' ? { make: makeHere, close: async () => undefined } : spawned(language);

/** Starts the driver of a language. It reads a call and writes a result on each line. */
function spawned(language: string): Driver {
  const [program = '', options = []] = COMMANDS[language] ?? [];
  const file = path.join(PROJECT, 'test/docs', language === 'PHP' ? 'drive.php' : 'drive.py');
  const child = spawn(program, [...options, file], {
    env: ENVIRONMENT,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async make(call) {
      child.stdin.write(`${JSON.stringify(call).replace(`"${DECIMAL}"`, DECIMAL)}\n`);
      const line = await lines.next();
      if (line.done) throw new Error(`The driver in ${language} has ended.`);
      const { error, ...outcome } = JSON.parse(line.value) as Outcome;
      return error === undefined ? outcome : { error: inSnakeCase(error) };
    },
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}

const snake = (name: string) => name.replaceAll(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);

/** Returns the fields with the names of the Python client. */
function inSnakeCase(fields: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [snake(name), value]));
}

async function makeHere(call: Call): Promise<Outcome> {
  try {
    return { value: await callHere(call) };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const { name, message } = error;
    return { error: { ...inSnakeCase(error), name, message, text: `${error.stack}` } };
  }
}

const idsOf = (objects: readonly { id: string }[]): string[] => objects.map(({ id }) => id);

async function callHere({ name, args, key, settings }: Call): Promise<unknown> {
  if (name === 'verify') {
    const [body, headers, secrets] = args as [string, Record<string, string>, string];
    return webhooks.verify(body, headers, webhooks.readSecrets(secrets)).id;
  }
  const client = new Tollgate(settings);
  if (name === 'payments.reconcile') {
    const found = await client.payments.reconcile(...(args as [string[]]));
    const failed = found.failed.map(({ id }) => id);
    return [idsOf(found.settled), idsOf(found.open), found.missing, failed];
  }
  const [resource = '', action = ''] = name.split('.');
  const { [resource]: bound } = client as unknown as Record<string, Record<string, Callable>>;
  if (action === 'list') {
    const found: { id: string }[] = [];
    const list = bound?.['list']?.(...args) as AsyncIterable<{ id: string }>;
    for await (const each of list) found.push(each);
    return idsOf(found);
  }
  // The parameters of a cancellation come before the options.
  const filled = action === 'cancel' ? [...args, {}] : args;
  return bound?.[action]?.(...filled, key === undefined ? {} : { idempotencyKey: key });
}

type Callable = (...args: readonly unknown[]) => unknown;
