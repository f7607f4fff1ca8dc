/** Runs the examples of the guides. Those of one guide and language are one program. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runInThisContext } from 'node:vm';
import { text } from 'node:stream/consumers';
import { transform } from '@swc/core';
import { GUIDES } from '../../docs/guides.ts';
import * as sdk from '../../sdk/index.ts';
import { PROJECT } from '../support/servers/programs.ts';
import { COMMANDS, ENVIRONMENT } from './driver.ts';

/** The variables that the examples use. */
export interface Setup {
  readonly url: string;
  /** The key of the client that most examples use. */
  readonly key: string;
  /** The key in the environment, for examples that create their own client. */
  readonly ownKey: string;
  readonly order: {
    readonly payment_id: string;
    readonly amount: number;
    readonly currency: string;
  };
  readonly lastEventId: string;
  readonly secret: string;
  /** A webhook's body, and the headers of its requests. */
  readonly body: string;
  readonly deliveries: readonly Readonly<Record<string, string>>[];
}

/** The languages of the examples, with the names of their blocks. */
const FENCES = { TypeScript: 'ts', Python: 'python', PHP: 'php' } as const;
export type Language = keyof typeof FENCES;

/** Returns the examples of the language in a text, as one program. */
export function programOf(language: Language, markdown: string): string {
  const fence = new RegExp(`^\`\`\`${FENCES[language]}\\n([^]*?)^\`\`\``, 'gm');
  return [...markdown.matchAll(fence)].map(([, block]) => block).join('\n');
}

/** Returns the program of each guide that has examples in the language. */
export function programsOf(language: Language, url: string): Record<string, string> {
  const programs = GUIDES.map((guide) => {
    const file = path.join(PROJECT, 'docs', 'guides', `${guide}.md`);
    const guideText = readFileSync(file, 'utf8').replaceAll('http://localhost:8080', url);
    return [guide, programOf(language, guideText)] as const;
  });
  return Object.fromEntries(programs.filter(([, program]) => program !== ''));
}

/** Returns the lines that the programs print, by their names. They are those of the guides. */
export async function runExamples(
  language: Language,
  setup: Setup,
  programs = programsOf(language, setup.url),
) {
  if (language === 'TypeScript') return runHere(programs, setup);
  const [command = '', options = []] = COMMANDS[language] ?? [];
  const extension = language === 'PHP' ? 'php' : 'py';
  const file = path.join(PROJECT, 'test', 'docs', `examples.${extension}`);
  const settings = { KEY: setup.ownKey, TOLLGATE_WEBHOOK_SECRET: setup.secret };
  const env = { ...ENVIRONMENT, ...settings };
  const child = spawn(command, [...options, file], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify({ ...setup, programs }));
  const [, ...printed] = (await text(child.stdout)).split(/^== /m);
  return Object.fromEntries(
    printed.map((part) => linesOf(part)).map(([name, ...lines]) => [name, lines]),
  );
}

const linesOf = (printed: string): string[] => printed.trimEnd().split('\n');

type Receive = (request: Request) => Promise<Response>;

async function runHere(programs: Record<string, string>, setup: Setup) {
  const all: Record<string, readonly string[]> = {};
  for (const [guide, program] of Object.entries(programs)) {
    const lines: string[] = [];
    const print = (...values: readonly unknown[]) => void lines.push(values.join(' '));
    const receive = await runProgram(program, setup, print);
    for (const headers of receive ? setup.deliveries : []) {
      const request = new Request('https://shop.example', {
        method: 'POST',
        headers,
        body: setup.body,
      });
      print((await receive?.(request))?.status);
    }
    all[guide] = lines;
  }
  return all;
}

/** Runs a module as the body of a function. Returns the handler that it exports, if any. */
async function runProgram(program: string, setup: Setup, print: (...values: unknown[]) => void) {
  const { code } = await transform(program, {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
  });
  const body = code
    .replaceAll(/^import (\{.+\}) from ['"]@tollgate\/sdk['"];$/gm, 'const $1 = sdk;')
    .replace('export async function POST', 'return POST; async function POST');
  const known = {
    sdk,
    tollgate: new sdk.Tollgate({ apiKey: setup.key, baseUrl: setup.url }),
    order: setup.order,
    openPaymentIds: [setup.order.payment_id],
    lastEventId: setup.lastEventId,
    isNew: async () => true,
    handle: async (event: sdk.Event) => print('handled', event.type),
    console: { log: print, error: print },
    process: { env: { KEY: setup.ownKey, TOLLGATE_WEBHOOK_SECRET: setup.secret } },
  };
  // The program may declare a variable of its own with the same name as one of these.
  const run = runInThisContext(`(({${Object.keys(known).join()}}) => (async () => {${body}})())`);
  return (await run(known)) as Receive | undefined;
}
