/** `tollgate explain`: the signature of a request at hand, or of a stored attempt. */
import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import type { Delivery, DeliveryAttempt } from '../domain/delivery.ts';
import { clockNotes, explainSignature, note } from '../explain/signature.ts';
import type { Explanation, Finding } from '../explain/signature.ts';
import { explainAttempt } from '../explain/stored.ts';
import type { ExplainedAttempt } from '../explain/stored.ts';
import { requireDelivery } from '../operations/deliveries.ts';
import { Refusal } from '../operations/refusal.ts';
import { secretsOf } from './access.ts';
import { run, withServices } from './act.ts';

/** The merchant's part: what came and what the merchant's code computed. */
interface Theirs {
  /** A file, or `-` for standard input. */
  body?: string;
  computed?: readonly string[];
  header?: readonly string[];
  json?: boolean;
}

export interface ExplainOptions extends Theirs {
  timestamp?: string;
  id?: string;
  secret?: string;
  oldSecret?: readonly string[];
}

export interface ExplainStored extends Theirs {
  delivery: string;
  attempt?: string;
}

/** Prints the same about a stored attempt. Its bytes and secrets come from the database. */
export async function explainStored(options: ExplainStored): Promise<void> {
  const { delivery: id, attempt: number, computed, header = [], body } = options;
  const action = async (): Promise<ExplainedAttempt> => {
    const given = readHeaders(header);
    const signedBody = body === undefined ? undefined : readBody(body);
    return withServices(async (services) => {
      const delivery = await requireDelivery(services, id);
      const attempt = requireAttempt(delivery, number);
      return explainAttempt(services, { delivery, attempt, given, computed, signedBody });
    });
  };
  await run(options, action, (explained) => `${recordOf(explained)}\n\n${textOf(explained)}`);
}

/** Returns the numbered attempt, by default the last. Throws `Refusal` if there is none. */
export function requireAttempt({ attempts, state }: Delivery, number?: string): DeliveryAttempt {
  const last = attempts.at(-1);
  if (!last) {
    const message = `Nothing has been sent yet: the delivery is ${state}, without an attempt.`;
    throw new Refusal('parameter_invalid', { message, param: 'delivery' });
  }
  if (number === undefined) return last;
  const wanted = attempts.find((each) => String(each.number) === number);
  if (wanted) return wanted;
  const message = `There is no attempt ${number}: the last one was ${last.number}.`;
  throw new Refusal('parameter_invalid', { message, param: 'attempt' });
}

function recordOf(explained: ExplainedAttempt): string {
  const { attempt, attempts_count: count, at, url, status, error, signed_with: hints } = explained;
  const response = status === null ? `no response (${error})` : `response ${status}`;
  return [
    `${explained.event_id} as ${explained.delivery_id}, attempt ${attempt} of ${count}`,
    `Sent ${at}${url === null ? '' : ` to ${url}`}: ${response}`,
    `Signed with ${hints.length === 0 ? 'a secret that is not stored any more' : endings(hints)}`,
  ].join('\n');
}

const endings = (hints: readonly string[]): string =>
  hints.map((hint) => `the secret that ends in ${hint}`).join(' and ');

/** Prints what is signed, what the headers have to be, and what went wrong. */
export function explain(options: ExplainOptions): void {
  const { body: file, computed, oldSecret = [] } = options;
  const given = readHeaders(options.header ?? []);
  const time = options.timestamp ?? oneOf(given, ['service-timestamp', 'webhook-timestamp']);
  if (file === undefined || time === undefined) {
    throw new Refusal('parameter_missing', {
      message: WHAT,
      param: file === undefined ? 'body' : 'timestamp',
    });
  }
  const body = readBody(file);
  const id = options.id ?? oneOf(given, ['webhook-id']) ?? idOf(body);
  if (id === undefined) {
    throw new Refusal('parameter_missing', {
      message: 'The body has no id: give --id.',
      param: 'id',
    });
  }
  const { timestamp, notes } = readTime(time);
  const secrets = requireSecrets(options.secret);
  const otherSecrets = oldSecret.map((value) => ({ value, whose: OLD }));
  const request = { id, timestamp, body, secrets, otherSecrets, given, computed };
  const { findings, ...rest } = explainSignature(request);
  const explanation = { ...rest, findings: [...findings, ...notes] };
  console.log(options.json ? JSON.stringify(explanation) : textOf(explanation));
}

function requireSecrets(secret: string | undefined): readonly string[] {
  const secrets = secretsOf(secret);
  if (secrets.length === 0) {
    const message = 'The secret is missing: set TOLLGATE_WEBHOOK_SECRET, or give --secret.';
    throw new Refusal('parameter_missing', { message, param: 'secret' });
  }
  if (secrets.every((each) => /^whsec_[\w+/-]+={0,2}$/.test(each))) return secrets;
  const message = 'The secret must be whsec_ and base64, as it was shown: give all of it.';
  throw new Refusal('parameter_invalid', { message, param: 'secret' });
}

/** Returns a timestamp in seconds, and notes about it. */
function readTime(text: string): { timestamp: string; notes: Finding[] } {
  if (!/^\d{1,13}$/.test(text)) {
    const message = `The timestamp must be whole unix seconds, as the header has it: ${text}`;
    throw new Refusal('parameter_invalid', { message, param: 'timestamp' });
  }
  const isMs = text.length === 13;
  const timestamp = isMs ? text.slice(0, -3) : text;
  const says = 'The timestamp is in milliseconds, and the headers have seconds. Seconds are used.';
  const notes = clockNotes(timestamp, Date.now() / 1_000, 'This machine');
  return { timestamp, notes: isMs ? [note('timestamp_ms', says), ...notes] : notes };
}

const OLD = 'another secret of yours, an old one or that of another endpoint';

const WHAT =
  'Give --body and --timestamp of a request that you have at hand (or its timestamp header by ' +
  '--header), or, where you run the service, --delivery dlv_... of one that it sent.';

/** Returns the first of these headers that is not empty. */
function oneOf(given: Record<string, string>, names: readonly string[]): string | undefined {
  return names.map((name) => given[name]).find((value) => value !== undefined && value !== '');
}

function readBody(file: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file === '-' ? 0 : file);
  } catch (error) {
    throw new Refusal('parameter_invalid', {
      message: `--body: ${(error as Error).message}`,
      param: 'body',
    });
  }
  if (isUtf8(bytes)) return bytes.toString();
  const message = '--body: it is not UTF-8, and every event is. Take the raw bytes as they came.';
  throw new Refusal('parameter_invalid', { message, param: 'body' });
}

function idOf(body: string): string | undefined {
  try {
    const { id } = JSON.parse(body) as { id?: unknown };
    return typeof id === 'string' ? id : undefined;
  } catch {
    return undefined;
  }
}

function readHeaders(lines: readonly string[]): Record<string, string> {
  const pairs = lines.map((line) => {
    const [, name = '', value = ''] = /^([\w-]+):(.*)$/.exec(line) ?? [];
    if (name === '') {
      const message = `--header ${line}: write it as "Name: value".`;
      throw new Refusal('parameter_invalid', { message, param: 'header' });
    }
    return [name.toLowerCase(), value.trim()];
  });
  return Object.fromEntries(pairs) as Record<string, string>;
}

/** Characters of what is signed: enough to recognise it. `--json` has all of it. */
const SHOWN = 600;

function textOf({ forms, headers, findings }: Explanation): string {
  const parts = forms.map(({ form, signed, key }) => {
    const name = form === 'service' ? 'Service-Signature' : 'webhook-signature';
    const rest = signed.length - SHOWN;
    const shown =
      signed.slice(0, SHOWN) + (rest > 0 ? `... (${rest} more characters, by --json)` : '');
    return `${name} signs\n  ${shown}\n  Key: ${key}`;
  });
  return [...parts, headers.map(lineOf).join('\n'), findings.map(sayingOf).join('\n')]
    .filter((part) => part !== '')
    .join('\n\n');
}

function lineOf({ name, expected, given, fits }: Explanation['headers'][number]): string {
  const line = `${name}: ${expected}`;
  if (given === undefined) return line;
  return fits ? `${line}\n  as given` : `${line}\n  DIFFERS from what was given: ${given}`;
}

function sayingOf({ kind, about, says }: Finding): string {
  const mark = kind === 'mistake' ? 'WRONG' : 'Note';
  return `${mark}${about === null ? '' : ` (${about})`}: ${says}`;
}
