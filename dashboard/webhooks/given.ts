/** Reads the form of the signature explainer: a request, and the merchant's own results. */
import { clockNotes, explainSignature, headersOf } from '../../explain/signature.ts';
import type { Explanation } from '../../explain/signature.ts';
import { Refusal } from '../../operations/refusal.ts';
import type { Form } from '../form.ts';

const MAX_HEADERS = 60;
const MAX_COMPUTED = 5;
const EVENT_ID = /"id"\s*:\s*"(evt_\w+)"/;
const TIMESTAMP = /^\d{1,11}$/;
const SECRET = /^whsec_[\w+/-]+={0,2}$/;

/** Returns the lines of a field that are not empty. */
function linesOf(form: Form, name: string): string[] {
  const lines = form.get(name).split(/\r?\n/);
  return lines.map((line) => line.trim()).filter((line) => line !== '');
}

/** Returns the headers of the form by their names in lower case. */
export function readHeaders(form: Form): Readonly<Record<string, string>> {
  const lines = linesOf(form, 'headers');
  const pairs = lines.slice(0, MAX_HEADERS).map((line) => {
    const [, name = '', value = ''] = /^([\w-]+):(.*)$/.exec(line) ?? [];
    if (name !== '') return [name, value.trim()] as const;
    throw Refusal.ofParam('headers', 'Write each header on a line of its own, as "Name: value".');
  });
  return headersOf(pairs);
}

/** Returns the values that the merchant's code computed, one in a line. */
export function readComputed(form: Form): string[] {
  return linesOf(form, 'computed').slice(0, MAX_COMPUTED);
}

/** Returns the body of the form, or undefined. Browsers send line breaks as CRLF. */
export function readBody(form: Form): string | undefined {
  // Every event begins and ends with a brace, so spaces around it come from copying.
  return form.get('body').replaceAll('\r\n', '\n') || undefined;
}

/** Explains the request of the form. The secret is used here, and kept nowhere. */
export function explainGiven(form: Form, now: Date): Explanation {
  const given = readHeaders(form);
  const body = readBody(form);
  if (body === undefined) throw Refusal.ofParam('body', 'Paste the body of the request.');
  const timestamp =
    form.get('timestamp') || given['service-timestamp'] || given['webhook-timestamp'] || '';
  if (!TIMESTAMP.test(timestamp)) {
    const message = 'Give the timestamp, or its header: whole seconds, as it was received.';
    throw Refusal.ofParam('timestamp', message);
  }
  const id = given['webhook-id'] || EVENT_ID.exec(body)?.[1];
  if (id === undefined) {
    throw Refusal.ofParam('body', 'The body has no id of an event: paste it, or its header.');
  }
  const secret = form.get('secret');
  if (!SECRET.test(secret)) {
    throw Refusal.ofParam('secret', 'Give the whole secret: whsec_ and what follows it.');
  }
  const computed = readComputed(form);
  const request = { id, timestamp, body, secrets: [secret], given, computed };
  const { findings, ...explanation } = explainSignature(request);
  const notes = clockNotes(Number(timestamp), now.getTime() / 1_000, 'Tollgate');
  return { ...explanation, findings: [...findings, ...notes] };
}

/** Returns the text without signing secrets, which people paste into the wrong field. */
export function withoutSecrets(text: string): string {
  return text.replaceAll(/whsec_[\w+/=-]+/g, 'whsec_...');
}
