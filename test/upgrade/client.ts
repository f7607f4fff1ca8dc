/** A client that repeats a request once, as the documentation asks, and counts what came back. */
import { setTimeout as sleep } from 'node:timers/promises';
import { CATALOGUE } from '../../operations/refusal.ts';
import { HANG_MS } from '../support/merchant.ts';

/** The pause before a request is repeated. The documentation asks for a second. */
const PAUSE_MS = 1_000;
/** A request is given up after this number of attempts, each of which may take seconds. */
const MAX_ATTEMPTS = 30;

export interface Counts {
  /** The requests that succeeded. */
  answered: number;
  /** The response or error before each repeated request. */
  readonly repeated: string[];
  /** The requests for which one repeat was not enough. */
  readonly stubborn: string[];
  /** The responses that the API does not document. */
  readonly undocumented: string[];
  /** The longest time in which no request of any client succeeded. */
  longestGapMs: number;
}

interface Request {
  readonly url: string;
  readonly apiKey?: string;
  readonly body?: object | URLSearchParams;
  readonly key?: string;
}

export interface Client {
  readonly counts: Counts;
  /** Sends a request until it succeeds. Returns the response and its text. */
  send(request: Request): Promise<{ response: Response; text: string }>;
}

/** Creates a client, to be shared by all lanes of a load. */
export function makeClient(): Client {
  const counts: Counts = {
    answered: 0,
    repeated: [],
    stubborn: [],
    undocumented: [],
    longestGapMs: 0,
  };
  let lastMs = performance.now();
  return {
    counts,
    async send(request) {
      const name = `${request.body ? 'POST' : 'GET'} ${new URL(request.url).pathname}`;
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
        const found = await once(request);
        if (typeof found !== 'string' && found.response.status < 400) {
          counts.answered += 1;
          counts.longestGapMs = Math.max(counts.longestGapMs, performance.now() - lastMs);
          lastMs = performance.now();
          return found;
        }
        const outcome = typeof found === 'string' ? found : String(found.response.status);
        if (typeof found !== 'string' && !isDocumented(found)) {
          counts.undocumented.push(`${name}: ${outcome} ${found.text}`);
        }
        if (attempt === 2) counts.stubborn.push(`${name}: ${outcome}`);
        counts.repeated.push(`${name}: ${outcome}`);
        await sleep(PAUSE_MS);
      }
      throw new Error(`${name} was given up. ${JSON.stringify(counts.stubborn)}`);
    },
  };
}

/** Sends the request once. Returns the name of the error if there is no response. */
async function once({ url, apiKey, body, key }: Request) {
  const isForm = body instanceof URLSearchParams;
  try {
    const response = await fetch(url, {
      method: body ? 'POST' : 'GET',
      redirect: 'manual',
      signal: AbortSignal.timeout(HANG_MS),
      headers: {
        ...(apiKey ? { Authorization: `Bearer ${apiKey}` } : {}),
        ...(key ? { 'Idempotency-Key': key } : {}),
        ...(body && !isForm ? { 'Content-Type': 'application/json' } : {}),
      },
      ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
    });
    return { response, text: await response.text() };
  } catch (error) {
    const { name, cause } = error as { name: string; cause?: { code?: string } };
    return cause?.code ?? name;
  }
}

/** Returns true for 429 and 503 with a code of the catalogue, or with a page of ours. */
function isDocumented({ response, text }: { response: Response; text: string }): boolean {
  if (![429, 503].includes(response.status)) return false;
  if (!response.headers.get('content-type')?.startsWith('application/json')) return text !== '';
  const { error } = JSON.parse(text) as { error?: { code?: string } };
  return Object.hasOwn(CATALOGUE, error?.code ?? '');
}
