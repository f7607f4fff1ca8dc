/** Sends requests byte by byte, and checks the responses to hostile ones. */
import net from 'node:net';
import { expect } from 'vitest';
import { CATALOGUE } from '../../operations/refusal.ts';
import type { Mongo } from '../../store/mongo.ts';

/** Longer than any time limit that a test sets for the server, even on a busy machine. */
const PATIENCE_MS = 20_000;
/** Stack traces, paths and driver messages, which no response may have. */
const OF_OURS =
  /node_modules|\.[jt]s:\d+|\n\s+at |mongo|bson|e11000|temporal\b|econn|\/api\/|file:/i;

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Returns all complete responses in `received`. Responses to HEAD have no body. */
export function parseAnswers(received: Buffer, isBodiless = false): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = received;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return answers;
    const [first = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const headers = new Headers();
    for (const line of lines) {
      const colon = line.indexOf(':');
      headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
    }
    const length = isBodiless ? 0 : Number(headers.get('content-length') ?? 0);
    const text = rest.subarray(end + 4, end + 4 + length).toString('utf8');
    const status = Number(first.split(' ')[1]);
    // 100 is an interim response.
    if (status >= 200) answers.push({ status, headers, text });
    rest = rest.subarray(end + 4 + length);
  }
}

export interface Exchange {
  /** The number of responses after which to hang up. By default it waits for the server. */
  readonly answers?: number;
  readonly isBodiless?: boolean;
  /** True to end our side of the connection once everything is sent. */
  readonly hangsUp?: boolean;
}

/** Sends bytes. Returns the responses that arrive until either side hangs up. */
export async function exchange(
  port: number,
  sent: string | Buffer,
  { answers = Infinity, isBodiless = false, hangsUp = false }: Exchange = {},
): Promise<RawAnswer[]> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    let received = Buffer.alloc(0);
    const finish = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(parseAnswers(received, isBodiless));
    };
    const timer = setTimeout(finish, PATIENCE_MS);
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (parseAnswers(received, isBodiless).length >= answers) finish();
    });
    // A server that refuses early closes while we still send. Its response counts.
    socket.on('error', () => undefined);
    socket.on('close', finish);
    socket.write(sent);
    if (hangsUp) socket.end();
  });
}

/** Expects a success, or a documented refusal: a code, its status, and the request's id. */
export function expectDocumented(answer: RawAnswer): void {
  expect(answer.status).toBeLessThan(500);
  expect(answer.text).not.toMatch(OF_OURS);
  if (answer.status < 400) return;
  const { error } = JSON.parse(answer.text) as { error: { code: string; request_id: string } };
  expect(CATALOGUE).toHaveProperty(error.code);
  expect(CATALOGUE[error.code as keyof typeof CATALOGUE].status).toBe(answer.status);
  expect(answer.headers.get('request-id')).toMatch(/^req_[0-9A-Z]{26}$/);
  expect(answer.headers.get('request-id')).toBe(error.request_id);
}

/** Returns the code of a refusal, or the status of another response. */
export function codeOf({ status, text }: RawAnswer): string | number {
  if (status < 400) return status;
  return (JSON.parse(text) as { error: { code: string } }).error.code;
}

/** Counts the documents of every collection that a merchant's request can add to. */
export async function countAll(mongo: Mongo): Promise<Record<string, number>> {
  const names = ['payments', 'refunds', 'events', 'deliveries', 'endpoints', 'requests'] as const;
  const counts = names.map(async (name): Promise<[string, number]> => [
    name,
    await mongo[name].countDocuments(),
  ]);
  return Object.fromEntries(await Promise.all(counts));
}
