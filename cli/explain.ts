/** `tollgate explain`: the signature of a given request, or of a stored attempt. */
import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import type { Delivery, DeliveryAttempt } from '../domain/delivery.ts';
import { FORMS } from '../explain/forms.ts';
import { clockNotes, explainSignature, headersOf } from '../explain/signature.ts';
import type { Explanation } from '../explain/signature.ts';
import { explainAttempt } from '../explain/stored.ts';
import type { ExplainedAttempt } from '../explain/stored.ts';
import { requireDelivery } from '../operations/deliveries.ts';
import { requireSecrets } from './access.ts';
import { run, withServices } from './act.ts';
import { EXIT } from './complain.ts';
import { paint } from './output.ts';
import { invalid, missing } from './refusals.ts';

interface ExplainOptions {
  /** A file, or `-` for standard input. */
  body?: string;
  timestamp?: string;
  id?: string;
  secret?: string;
  oldSecret?: readonly string[];
  /** A stored delivery: its bytes and secrets come from the database. */
  delivery?: string;
  attempt?: string;
  /** The values that the merchant's code computed. */
  computed?: readonly string[];
  header?: readonly string[];
  json?: boolean;
}

/**
 * Prints the verdict, the mistakes that were found, the signed text, and the expected headers. Sets
 * the exit code 1 if a signature is wrong.
 */
export async function explain(options: ExplainOptions): Promise<void> {
  const { delivery, json } = options;
  if (delivery !== undefined) return explainStored(delivery, options);
  const explanation = judged(explainGiven(options));
  console.log(json ? JSON.stringify(explanation) : textOf(explanation));
}

/** Adds the verdict, and sets the exit code. Without a value to compare, there is none. */
function judged<T extends Explanation>(explanation: T) {
  const { headers, findings } = explanation;
  const isWrong =
    findings.some(({ kind }) => kind === 'mistake') || headers.some(({ fits }) => fits === false);
  const isRight = findings.some(({ code }) => code === 'fits');
  const verdict = isWrong ? 'wrong' : isRight ? 'right' : null;
  if (isWrong) process.exitCode = EXIT.no;
  return { verdict, ...explanation } as const;
}

type Judged<T extends Explanation = Explanation> = ReturnType<typeof judged<T>>;

async function explainStored(id: string, options: ExplainOptions): Promise<void> {
  const { attempt: number, computed, header = [], body } = options;
  const action = async (): Promise<Judged<ExplainedAttempt>> => {
    const given = readHeaders(header);
    const signedBody = body === undefined ? undefined : readBody(body);
    return withServices(async (services) => {
      const delivery = await requireDelivery(services, id);
      const attempt = requireAttempt(delivery, number);
      const found = { delivery, attempt, given, computed, signedBody };
      return judged(await explainAttempt(services, found));
    });
  };
  await run(options, action, (explained) => textOf(explained, recordOf(explained)));
}

/** Returns the numbered attempt, by default the last. Throws `Refusal` if it does not exist. */
function requireAttempt({ attempts, state }: Delivery, number?: string): DeliveryAttempt {
  const last = attempts.at(-1);
  if (!last) {
    const message = `Nothing has been sent yet: the delivery is ${state}, without an attempt.`;
    throw invalid('delivery', message);
  }
  const wanted =
    number === undefined ? last : attempts.find((each) => String(each.number) === number);
  if (wanted) return wanted;
  throw invalid('attempt', `There is no attempt ${number}: the last one was ${last.number}.`);
}

function recordOf(explained: ExplainedAttempt): string {
  const { attempt, attempts_count: count, at, url, status, error, signed_with: hints } = explained;
  const response = status === null ? `no response (${error})` : `response ${status}`;
  const secrets = hints.map((hint) => `the secret that ends in ${hint}`).join(' and ');
  return [
    `${explained.event_id} as ${explained.delivery_id}, attempt ${attempt} of ${count}`,
    `Sent ${at}${url === null ? '' : ` to ${url}`}: ${response}`,
    `Signed with ${secrets || 'a secret that is no longer stored'}`,
  ].join('\n');
}

const WHAT =
  'Give --body and --timestamp of a request (or its timestamp header as --header). Where the ' +
  'service runs, you can give --delivery dlv_... instead.';
const EVENT_ID = /"id"\s*:\s*"(evt_\w+)"/;

function explainGiven(options: ExplainOptions): Explanation {
  const { body: file, computed, oldSecret = [] } = options;
  const given = readHeaders(options.header ?? []);
  // An empty header counts as absent.
  const timestamp =
    options.timestamp ?? (given['service-timestamp'] || given['webhook-timestamp'] || undefined);
  if (file === undefined) throw missing('body', WHAT);
  if (timestamp === undefined) throw missing('timestamp', WHAT);
  const body = readBody(file);
  const id = options.id ?? (given['webhook-id'] || EVENT_ID.exec(body)?.[1]);
  if (id === undefined) throw missing('id', 'The body has no id: give --id.');
  if (!/^\d{1,11}$/.test(timestamp)) {
    const message = `The timestamp must be whole unix seconds, as the header has it: ${timestamp}`;
    throw invalid('timestamp', message);
  }
  const secrets = requireSecrets(options.secret);
  if (!secrets.every((each) => /^whsec_[\w+/-]+={0,2}$/.test(each))) {
    const message = 'The secret must be whsec_ and base64, as it was shown: give all of it.';
    throw invalid('secret', message);
  }
  const otherSecrets = oldSecret.map((value) => ({ value, whose: 'another secret of yours' }));
  const request = { id, timestamp, body, secrets, otherSecrets, given, computed };
  const { findings, ...explanation } = explainSignature(request);
  const notes = clockNotes(Number(timestamp), Date.now() / 1_000, 'This machine');
  return { ...explanation, findings: [...findings, ...notes] };
}

function readBody(file: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file === '-' ? 0 : file);
  } catch (error) {
    throw invalid('body', `--body: ${(error as Error).message}`);
  }
  if (isUtf8(bytes)) return bytes.toString();
  throw invalid('body', '--body: it is not UTF-8, but every event is. Give the raw bytes.');
}

function readHeaders(lines: readonly string[]): Readonly<Record<string, string>> {
  const pairs = lines.map((line) => {
    const [, name = '', value = ''] = /^([\w-]+):(.*)$/.exec(line) ?? [];
    if (name === '') throw invalid('header', `--header ${line}: write it as "Name: value".`);
    return [name, value.trim()] as const;
  });
  return headersOf(pairs);
}

/** The number of signed characters that are printed. `--json` prints all. */
const SHOWN = 600;

const VERDICTS = {
  right: ['RIGHT: the signature fits.', 'green'],
  wrong: ['WRONG: what was given does not fit.', 'red'],
} as const;
const NO_VERDICT = [
  'Nothing to judge: give the signature as --header or --computed.',
  'dim',
] as const;

/** Returns the verdict and its reasons, then the record of a stored attempt, then what is signed. */
function textOf({ verdict, forms, headers, findings }: Judged, record = ''): string {
  const parts = forms.map(({ form, signed, key }) => {
    const rest = signed.length - SHOWN;
    const more = rest > 0 ? `... (${rest} more characters with --json)` : '';
    return `${FORMS[form].header} signs\n  ${signed.slice(0, SHOWN)}${more}\n  Key: ${key}`;
  });
  const sentences = findings.map(({ kind, about, says }) => {
    const mark = kind === 'mistake' ? 'WRONG' : 'Note';
    return `${mark}${about === null ? '' : ` (${about})`}: ${says}`;
  });
  const [words, colour] = verdict === null ? NO_VERDICT : VERDICTS[verdict];
  const first = paint(words, colour);
  const all = [first, sentences.join('\n'), record, ...parts, headers.map(lineOf).join('\n')];
  return all.filter((part) => part !== '').join('\n\n');
}

function lineOf({ name, expected, given, fits }: Explanation['headers'][number]): string {
  const line = `${name}: ${expected}`;
  if (given === undefined) return line;
  return fits ? `${line}\n  as given` : `${line}\n  DIFFERS from what was given: ${given}`;
}
