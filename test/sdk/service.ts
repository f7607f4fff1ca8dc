/** A service over real HTTP that responds as each test configures, and records the requests. */
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

/** A response; `reset` breaks the connection, `cut` breaks it in the body, `hang` never responds. */
export type Reply =
  'reset' | 'cut' | 'hang' | { status?: number; headers?: Record<string, string>; body?: unknown };

export type Script = (seen: Seen, index: number) => Reply;

export const PAYMENT = {
  id: 'pay_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  object: 'payment',
  status: 'created',
  amount: 12_500,
  currency: 'AMD',
} as const;

/** Returns the body of an error response. */
export function refusal(code: string, type = 'api'): { error: object } {
  const message = `refused: ${code}`;
  const errors = [{ param: null, code, message }];
  const doc_url = `https://api.example/docs#${code}`;
  return { error: { type, code, message, param: null, errors, doc_url, request_id: 'req_1' } };
}

export class Service {
  readonly seen: Seen[] = [];
  /** Returns the reply to each request, by default the payment. */
  script: Script = () => ({ body: PAYMENT });
  readonly #server = http.createServer(
    (request, response) => void this.#respond(request, response),
  );

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

  /** Creates a client of the service with very short waits. */
  client(options: Partial<TollgateOptions> = {}): Tollgate {
    return new Tollgate({ apiKey: API_KEY, baseUrl: this.url, retryDelayMs: 1, ...options });
  }

  /** Sends these replies in order, and then repeats the last. */
  play(...replies: readonly Reply[]): void {
    this.script = (_, index) => replies[Math.min(index, replies.length - 1)] ?? 'reset';
  }

  async #respond(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
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

/** Returns the error of a promise that must reject. */
export async function errorOf(promise: PromiseLike<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('The promise was fulfilled.');
}
