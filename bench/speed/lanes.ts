/** Work in lanes, and what it took. */
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const LANES = 16;

export interface Measured {
  readonly perSecond: number;
  /** Sorted. */
  readonly durationsMs: readonly number[];
}

/** Calls `work` for each item, in 16 lanes, each one call at a time. */
export async function measure<T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<Measured> {
  const durationsMs: number[] = [];
  const queue = items.values();
  const startedMs = performance.now();
  const lane = async (): Promise<void> => {
    for (const item of queue) {
      const beganMs = performance.now();
      await work(item);
      durationsMs.push(performance.now() - beganMs);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  const seconds = (performance.now() - startedMs) / 1_000;
  durationsMs.sort((a, b) => a - b);
  return { perSecond: items.length / seconds, durationsMs };
}

/** Calls `work` for one item every `everyMs`, also if earlier calls have not ended. */
export async function pace<T>(
  items: readonly T[],
  everyMs: number,
  work: (item: T) => Promise<unknown>,
): Promise<Measured> {
  const durationsMs: number[] = [];
  const startedMs = performance.now();
  const started = items.map(async (item, index) => {
    await sleep(index * everyMs);
    const beganMs = performance.now();
    await work(item);
    durationsMs.push(performance.now() - beganMs);
  });
  await Promise.all(started);
  const seconds = (performance.now() - startedMs) / 1_000;
  durationsMs.sort((a, b) => a - b);
  return { perSecond: items.length / seconds, durationsMs };
}

const agent = new http.Agent({ keepAlive: true, maxSockets: LANES });

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Response {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

/** Sends a GET, or a POST if there is a body. Cheaper than `fetch`, which would measure itself. */
export async function exchange(url: string, { headers = {}, body }: Sent = {}): Promise<Response> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const request = http.request(url, { agent, method, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(parts).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}
