/** The two ways to learn of an event: a webhook to a receiver of our own, or the list of events. */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebhookVerificationError, webhooks } from '../sdk/index.ts';
import type { Event, Tollgate } from '../sdk/index.ts';

const POLL_MS = 200;

export interface Expected {
  readonly type: Event['type'];
  readonly paymentId: string;
}

export interface EventSource {
  /** The name of the step that waits for an event. */
  readonly step: 'webhook' | 'event';
  /** Waits for the event until `signal` aborts, and returns its id. */
  wait(expected: Expected, signal: AbortSignal): Promise<string>;
}

/** Reads the list of events, where no webhook can come in. */
export function listedEvents({ events }: Tollgate): EventSource {
  return {
    step: 'event',
    async wait({ type, paymentId }, signal) {
      for (;;) {
        const { data } = await events.list({ payment_id: paymentId, limit: 100 }, { signal });
        const found = data.find((event) => event.type === type);
        if (found) return found.id;
        await sleep(POLL_MS, undefined, { signal });
      }
    },
  };
}

export interface Receiver extends EventSource {
  /** The signing secrets that requests are verified with. Without one, each request gets a 503. */
  useSecret(secret: string): void;
  close(): Promise<void>;
}

/** Listens for webhooks at the port of the URL. Rejects if the port is taken. */
export async function openReceiver(url: URL): Promise<Receiver> {
  const received: Event[] = [];
  const waiting = new Set<() => void>();
  let secrets: readonly string[] = [];
  let refusal: Error | undefined;

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      if (secrets.length === 0) return void response.writeHead(503).end();
      received.push(await webhooks.receive(request, secrets));
      response.writeHead(200).end();
    } catch (error) {
      // Strangers may send requests too, so this fails nothing unless the event stays away.
      const isRefused = error instanceof WebhookVerificationError;
      if (isRefused) refusal = error;
      response.writeHead(isRefused ? error.status : 500).end();
    }
    for (const wake of waiting) wake();
    waiting.clear();
  }

  const server = createServer((request, response) => void take(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(Number(url.port) || 80, resolve);
  });
  return {
    step: 'webhook',
    useSecret(secret) {
      secrets = [secret];
    },
    async wait(expected, signal) {
      for (;;) {
        const found = received.find((event) => isExpected(event, expected));
        if (found) return found.id;
        if (signal.aborted) throw lateness(signal, refusal);
        const more = new Promise<void>((resolve, reject) => {
          waiting.add(resolve);
          signal.addEventListener('abort', () => reject(lateness(signal, refusal)), { once: true });
        });
        await more;
      }
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function isExpected(event: Event, { type, paymentId }: Expected): boolean {
  const { object } = event.data;
  const id = 'payment_id' in object ? object.payment_id : object.id;
  return event.type === type && id === paymentId;
}

/** Returns the reason of the abort, with the refused request, if there was one. */
function lateness({ reason }: AbortSignal, refusal: Error | undefined): Error {
  const late = reason instanceof Error ? reason : new Error(String(reason));
  return refusal ? new Error(`${late.message} A request was refused: ${refusal.message}`) : late;
}
