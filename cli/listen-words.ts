/** What `listen` prints: a line for each event, for people or as JSON. */
import { isAccepted } from '../check/exchange.ts';
import { EVENT_TYPES } from '../domain/event.ts';
import type { Forwarded } from './forward.ts';
import { count, paint, printable } from './output.ts';

const TYPE_WIDTH = Math.max(...EVENT_TYPES.map(({ length }) => length));
/** What receivers respond to a signature that does not fit. */
const SIGNATURE_REFUSED = new Set([400, 401, 403]);

const HINT =
  'Does the receiver verify with the signing secret of this command? `tollgate explain` shows ' +
  'what is signed.';

interface Shown {
  readonly id: string;
  readonly type: string;
  readonly body: string;
}

interface EventBody {
  readonly data: { readonly object: { readonly id?: string; readonly status?: string } };
}

/** Prints what happens, as lines of JSON or as text. */
export class Printer {
  readonly #json: boolean;
  readonly #body: boolean;
  #hasHinted = false;

  constructor({ json = false, body = false }: { json?: boolean; body?: boolean }) {
    this.#json = json;
    this.#body = body;
  }

  print(data: object, text: string): void {
    console.log(this.#json ? JSON.stringify(data) : text);
  }

  /** Prints an event that goes nowhere. */
  event(event: Shown): void {
    const { at, line, data } = this.#about(event);
    const { object } = (JSON.parse(event.body) as EventBody).data;
    const about = [object.id, object.status].filter((each) => each !== undefined).join('  ');
    this.print({ at, ...data }, printable(`${line}  ${about}${this.#bodyOf(event)}`));
  }

  /** Prints what the receiver responded. Hints once at the secret if it refused the signature. */
  result(event: Shown, result: Forwarded): void {
    const { at, line, data } = this.#about(event);
    const { status, error, attempts, durationMs, delivery: delivery_id, retrying } = result;
    const accepted = isAccepted(result);
    const hint = SIGNATURE_REFUSED.has(status ?? 0) ? HINT : null;
    const outcome = status === null ? `failed: ${error}` : `${status}  ${durationMs} ms`;
    const which = retrying ? ', trying again' : attempts > 1 ? ` (attempt ${attempts})` : '';
    const body = attempts === 1 ? this.#bodyOf(event) : '';
    const advice = hint === null || this.#hasHinted ? '' : `\n          ${hint}`;
    const shown = paint(`${outcome}${which}`, accepted ? 'green' : 'red');
    const facts = { delivery_id, accepted, status, error, attempts, retrying };
    this.#hasHinted ||= hint !== null;
    this.print(
      { at, ...data, ...facts, duration_ms: durationMs, ...(hint !== null && { hint }) },
      `${line}  ${shown}${printable(body)}${advice}`,
    );
  }

  /** Prints the counts, and how to continue. */
  summary({ forwarded, failed, since }: { forwarded: number; failed: string[]; since: string }) {
    const counts = `\n${count(forwarded, 'event')} done, ${failed.length} not accepted.`;
    const lost = failed.length > 0 ? `\nNot accepted: ${failed.join(', ')}` : '';
    const text = `${counts}${lost}\nContinue from here with: --since ${since}`;
    this.print({ forwarded, failed, since }, text);
  }

  #about({ id, type, body }: Shown) {
    const at = new Date().toISOString();
    const line = `${at.slice(11, 19)}  ${type.padEnd(TYPE_WIDTH)}  ${id}`;
    const event = this.#body ? { event: JSON.parse(body) as unknown } : {};
    return { at, line, data: { type, event_id: id, ...event } };
  }

  #bodyOf({ body }: Shown): string {
    return this.#body ? `\n${JSON.stringify(JSON.parse(body), null, 2)}` : '';
  }
}
