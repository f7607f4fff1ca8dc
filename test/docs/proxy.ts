/** A proxy before the API that records every request, and can respond in its place. */
import { openReceiver } from '../support/receiver.ts';
import { untilAccepted } from '../support/retry.ts';
import type { Behaviour, Received, Receiver } from '../support/receiver.ts';

interface Proxy extends Receiver {
  /** Responds with these first, and then forwards. */
  respondFirst(...first: readonly Behaviour[]): void;
}

/** Opens a proxy that forwards to the API at `url`. */
export async function openProxy(url: string): Promise<Proxy> {
  const receiver = await openReceiver();
  const respondFirst = (...first: readonly Behaviour[]): void => {
    const before = receiver.requests.length;
    receiver.respond = async (number, request) =>
      first[number - before - 1] ?? forward(url, request);
  };
  respondFirst();
  return Object.assign(receiver, { respondFirst });
}

/** Forwards the request, again while the API is busy, so that clients see no 503 but those of tests. */
async function forward(
  url: string,
  { method, path: target, headers, raw }: Received,
): Promise<Behaviour> {
  const names = ['authorization', 'content-type', 'idempotency-key'];
  const sent = names.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : []));
  const init = { method, headers: Object.fromEntries(sent), redirect: 'manual' } as const;
  const body = method === 'POST' ? { body: new Uint8Array(raw) } : {};
  const response = await untilAccepted(async () => fetch(url + target, { ...init, ...body }));
  const { status } = response;
  return { status, headers: Object.fromEntries(response.headers), body: await response.text() };
}
