/** Two servers on one database, as behind a load balancer, and requests to each of them. */
import { expect } from 'vitest';
import { freePort } from '../support/port.ts';
import { untilAccepted } from '../support/retry.ts';
import { HANG_MS } from '../support/merchant.ts';
import type { Deployment } from '../support/servers/deployment.ts';

/** Starts the server, a second one and the worker. Returns the addresses of both servers. */
export async function startPair(deployment: Deployment): Promise<readonly [string, string]> {
  const [api, checkout, dashboard] = await Promise.all([freePort(), freePort(), freePort()]);
  const url = `http://127.0.0.1:${api}`;
  // Links in responses keep the first server's addresses, as those of a load balancer.
  const env = {
    API_PORT: String(api),
    CHECKOUT_PORT: String(checkout),
    DASHBOARD_PORT: String(dashboard),
  };
  const second = deployment.program('server-2', ['server.js'], { url: `${url}/readyz`, env });
  await Promise.all([deployment.start(), second.start()]);
  return [deployment.apiUrl, url];
}

export interface PostResponse {
  readonly status: number;
  readonly text: string;
  readonly isReplay: boolean;
}

export interface PostRequest {
  readonly path: string;
  readonly body: object;
  readonly key?: string;
}

/** Sends a request to one server. Rejects if there is no response. */
export async function post(
  url: string,
  apiKey: string,
  { path, body, key }: PostRequest,
): Promise<PostResponse> {
  const response = await fetch(url + path, {
    method: 'POST',
    signal: AbortSignal.timeout(HANG_MS),
    headers: {
      Authorization: `Bearer ${apiKey}`,
      'Content-Type': 'application/json',
      ...(key === undefined ? {} : { 'Idempotency-Key': key }),
    },
    body: JSON.stringify(body),
  });
  const isReplay = response.headers.get('idempotent-replayed') === 'true';
  return { status: response.status, text: await response.text(), isReplay };
}

export interface RetriedResponse extends PostResponse {
  /** The number of requests. After a retry, the first response may already be a replay. */
  readonly tries: number;
}

/** A program that dies inside a transaction leaves its locks, on a real MongoDB for a minute. */
const RETRY_LIMIT_MS = 180_000;

/** Sends a request again while the service is unavailable. */
export async function postWithRetries(
  url: string,
  apiKey: string,
  request: PostRequest,
): Promise<RetriedResponse> {
  let tries = 0;
  const send = async (): Promise<PostResponse> => {
    tries += 1;
    return post(url, apiKey, request);
  };
  const response = await untilAccepted(send, RETRY_LIMIT_MS);
  return { ...response, tries };
}

/** Expects equal responses with this status, exactly one of them not a replay. */
export function expectOneResponse(responses: readonly RetriedResponse[], status: number): void {
  expect(new Set(responses.map((response) => response.status))).toEqual(new Set([status]));
  expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
  const firsts = responses.filter(({ isReplay }) => !isReplay).length;
  const wasRetried = responses.some(({ tries }) => tries > 1);
  expect(wasRetried ? [0, 1] : [1]).toContain(firsts);
}
