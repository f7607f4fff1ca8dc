/** A service that answers as each test dictates, over real HTTP, and notes what it is asked. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Tollgate } from '../../sdk/index.ts';
import type { TollgateOptions } from '../../sdk/index.ts';

export const API_KEY = 'sk_test_abcdefghijklmnopqrstuvwxyz0123456789';

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** An answer; `reset` breaks the connection, `cut` breaks it inside the body, `hang` says nothing. */
export type Reply =
  'reset' | 'cut' | 'hang' | { status?: number; headers?: Record<string, string>; body?: unknown };

export type Script = (seen: Seen, turn: number) => Reply;

export const PAYMENT = {
  id: 'pay_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  object: 'payment',
  status: 'created',
  amount: 12_500,
  currency: 'AMD',
} as const;

/** The body of a refusal. */
export function refusal(code: string, type = 'api'): { error: object } {
  const message = `refused: ${code}`;
  const errors = [{ param: null, code, message }];
  const doc_url = `https://api.example/docs#${code}`;
  return { error: { type, code, message, param: null, errors, doc_url, request_id: 'req_1' } };
}

export class Service {
  readonly seen: Seen[] = [];
  /** What it does with each request; the payment, unless a test says otherwise. */
  script: Script = () => ({ body: PAYMENT });
  readonly #server = http.createServer((request, response) => void this.#answer(request, response));

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** A client of it whose waits are too short to notice. */
  client(options: Partial<TollgateOptions> = {}): Tollgate {
    return new Tollgate({ apiKey: API_KEY, baseUrl: this.url, retryDelayMs: 1, ...options });
  }

  /** Answers these one after the other, and then the last of them for ever. */
  play(...replies: readonly Reply[]): void {
    this.script = (_, turn) => replies[Math.min(turn, replies.length - 1)] ?? 'reset';
  }

  async #answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { method = '', url: path = '', headers } = request;
    const seen = { method, path, headers, body };
    this.seen.push(seen);
    const reply = this.script(seen, this.seen.length - 1);
    if (reply === 'hang') return;
    if (reply === 'reset') return void request.socket.destroy();
    const cut = reply === 'cut';
    const { status = 200, headers: more = {}, body: content = {} } = cut ? {} : reply;
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    const length = cut ? { 'content-length': '1000' } : {};
    response.writeHead(status, { 'content-type': 'application/json', ...length, ...more });
    if (!cut) return void response.end(text);
    response.write('{"id":', () => request.socket.destroy());
  }
}

/** The error of a promise that is expected to be broken. */
export async function errorOf(promise: PromiseLike<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('it was expected to fail');
}
