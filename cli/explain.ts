/** `tollgate explain`: the signature of a request that somebody has at hand, or of one on record. */
import { readFileSync } from 'node:fs';
import { explainSignature } from '../domain/signature/explain.ts';
import type { ComparedHeader, Explanation, Finding } from '../domain/signature/explain.ts';
import { explainDelivery, nodeHmac } from '../webhooks/explain.ts';
import type { ExplainedDelivery } from '../webhooks/explain.ts';
import { Refusal } from '../operations/refusal.ts';
import { secretsOf } from './access.ts';
import { run, withServices } from './act.ts';

export interface ExplainOptions {
  /** A file, or `-` for standard input. */
  body?: string;
  timestamp?: string;
  id?: string;
  secret?: string;
  oldSecret?: readonly string[];
  computed?: readonly string[];
  header?: readonly string[];
  json?: boolean;
}

export interface ExplainStored {
  delivery: string;
  attempt?: string;
  computed?: readonly string[];
  header?: readonly string[];
  json?: boolean;
}

/** The same of an attempt on record: its bytes and secrets come from the service's database. */
export async function explainStored(options: ExplainStored): Promise<void> {
  const { delivery: id, attempt, computed, header = [] } = options;
  const action = async (): Promise<ExplainedDelivery> => {
    const headers = readHeaders(header);
    return withServices(async (services) =>
      explainDelivery(services, { id, attempt, computed, headers }),
    );
  };
  await run(options, action, (explained) => `${recordOf(explained)}\n\n${textOf(explained)}`);
}

function recordOf(explained: ExplainedDelivery): string {
  const { attempt, attempts_count: count, at, url, status, error, signed_with: hints } = explained;
  const answer = status === null ? `no answer (${error})` : `answered ${status}`;
  return [
    `${explained.event_id} as ${explained.delivery_id}, attempt ${attempt} of ${count}`,
    `Sent ${at}${url === null ? '' : ` to ${url}`}: ${answer}`,
    `Signed with ${hints.length === 0 ? 'what is not at hand any more' : endings(hints)}`,
  ].join('\n');
}

const endings = (hints: readonly string[]): string =>
  hints.map((hint) => `the secret that ends in ${hint}`).join(' and ');

/** Prints what is signed, what the headers have to be, and what went wrong. */
export function explain(options: ExplainOptions): void {
  const { oldSecret: otherSecrets, computed } = options;
  const given = readHeaders(options.header ?? []);
  const timestamp = options.timestamp ?? oneOf(given, ['service-timestamp', 'webhook-timestamp']);
  if (options.body === undefined || timestamp === undefined) {
    const [missing, message] = [options.body === undefined ? 'body' : 'timestamp', WHAT];
    throw new Refusal('parameter_missing', { message, param: missing });
  }
  const body = readBody(options.body);
  const id = options.id ?? oneOf(given, ['webhook-id']) ?? idOf(body);
  if (id === undefined) {
    throw new Refusal('parameter_missing', {
      message: 'The body has no id: give --id.',
      param: 'id',
    });
  }
  const secrets = secretsOf(options.secret);
  if (secrets.length === 0) {
    const message = 'The secret is missing: set TOLLGATE_WEBHOOK_SECRET, or give --secret.';
    throw new Refusal('parameter_missing', { message, param: 'secret' });
  }
  const now = Math.floor(Date.now() / 1_000);
  const request = { id, timestamp, body, secrets, otherSecrets, given, computed, now };
  const explanation = explainSignature(request, nodeHmac);
  console.log(options.json ? JSON.stringify(explanation) : textOf(explanation));
}

const WHAT =
  'Give --body and --timestamp of a request that you have at hand (or its timestamp header by ' +
  '--header), or, where you run the service, --delivery dlv_... of one that it sent.';

/** The first of these headers that says anything. */
function oneOf(given: Record<string, string>, names: readonly string[]): string | undefined {
  return names.map((name) => given[name]).find((value) => value !== undefined && value !== '');
}

function readBody(file: string): Buffer {
  try {
    return readFileSync(file === '-' ? 0 : file);
  } catch (error) {
    throw new Refusal('parameter_invalid', {
      message: `--body: ${(error as Error).message}`,
      param: 'body',
    });
  }
}

function idOf(body: Buffer): string | undefined {
  try {
    const { id } = JSON.parse(body.toString()) as { id?: unknown };
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

/** Enough of a body to recognise it; --json has all of it. */
const SHOWN = 600;

function textOf({ forms, headers, findings }: Explanation): string {
  const parts = forms.map(({ form, signed, odd, key }) => {
    const name = form === 'service' ? 'Service-Signature' : 'webhook-signature';
    const rest = signed.length - SHOWN;
    const shown =
      signed.slice(0, SHOWN) + (rest > 0 ? `... (${rest} more characters, by --json)` : '');
    const strange = odd.map(({ at, char, hex }) => `byte ${at}: ${hex} ${JSON.stringify(char)}`);
    const notAscii = odd.length > 0 ? [`  Not plain ASCII: ${strange.join(', ')}`] : [];
    return [`${name} signs`, `  ${shown}`, `  Key: ${key}`, ...notAscii].join('\n');
  });
  return [...parts, headers.map(lineOf).join('\n'), findings.map(sayingOf).join('\n')]
    .filter((part) => part !== '')
    .join('\n\n');
}

function lineOf({ name, expected, given, fits }: ComparedHeader): string {
  const line = `${name}: ${expected}`;
  if (given === undefined) return line;
  return fits ? `${line}\n  as given` : `${line}\n  DIFFERS from what was given: ${given}`;
}

function sayingOf({ kind, about, says }: Finding): string {
  const mark = kind === 'mistake' ? 'WRONG' : 'Note';
  return `${mark}${about === null ? '' : ` (${about})`}: ${says}`;
}
