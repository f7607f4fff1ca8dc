/** What can be seen of a webhook request and its secret without computing anything. */
import { SECRET_PREFIX, TOLERANCE_SECONDS, fromBase64 } from './forms.ts';
import type { Explained, Finding } from './explain.ts';

type Inspected = Explained & { body: Uint8Array; given: NonNullable<Explained['given']> };

/** Everything about it that is not as the service sends it. */
export function inspect(request: Inspected): Finding[] {
  return [
    ...aboutSecrets(request.secrets),
    ...aboutTime(request),
    ...aboutBody(request),
    ...aboutHeaders(request),
  ];
}

function note(code: string, says: string): Finding {
  return { code, kind: 'note', about: null, says };
}

function aboutSecrets(secrets: readonly string[]): Finding[] {
  return secrets.flatMap((secret) => {
    if (secret !== secret.trim() || /^["']|["']$/.test(secret)) {
      return [note('secret_untidy', 'The secret has white space or quotation marks around it.')];
    }
    if (!secret.startsWith(SECRET_PREFIX)) {
      return [note('secret_prefix', 'The secret does not begin with whsec_: give all of it.')];
    }
    if (fromBase64(secret.slice(SECRET_PREFIX.length)) === undefined) {
      return [note('secret_cut', 'What follows whsec_ in the secret is not base64; was it cut?')];
    }
    return [];
  });
}

function aboutTime({ timestamp, now }: Inspected): Finding[] {
  if (!/^\d{1,12}$/.test(timestamp)) {
    const inMs = /^\d{13}$/.test(timestamp);
    const says = inMs
      ? 'The timestamp is in milliseconds; the headers have whole seconds.'
      : 'The timestamp is not whole unix seconds, as the headers have it.';
    return [note(inMs ? 'timestamp_ms' : 'timestamp_malformed', says)];
  }
  if (now === undefined) return [];
  const age = now - Number(timestamp);
  if (Math.abs(age) <= TOLERANCE_SECONDS) return [];
  const when = age > 0 ? `${age} s ago` : `${-age} s ahead of this clock`;
  const says =
    `It was signed ${when}: a receiver refuses what is more than ${TOLERANCE_SECONDS} s away. ` +
    'That is right for an old request; for one that has just come, set the clock.';
  return [note('clock', says)];
}

function aboutBody({ body, id }: Inspected): Finding[] {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  const findings: Finding[] = [];
  if (text.includes('\uFFFD')) {
    findings.push(note('body_not_utf8', 'The body is not UTF-8, and every event is: was it cut?'));
  }
  if (text.startsWith('\uFEFF')) {
    findings.push(note('body_bom', 'The body begins with a byte order mark; no event does.'));
  }
  if (/\s$/.test(text)) {
    const says = 'The body ends with white space; no event does. An editor may have added it.';
    findings.push(note('body_newline', says));
  }
  let event: { id?: unknown } | null;
  try {
    event = JSON.parse(text.replace(/^\uFEFF/, '')) as { id?: unknown } | null;
  } catch {
    return [...findings, note('body_not_json', 'The body is not JSON; was it cut?')];
  }
  if (typeof event?.id !== 'string') {
    findings.push(note('body_not_event', 'The body has no id: is it a whole event?'));
  } else if (event.id !== id) {
    const says = `The body is the event ${event.id}, and webhook-id is said to be ${id}.`;
    findings.push(note('id_differs', says));
  }
  return findings;
}

function aboutHeaders({ given }: Inspected): Finding[] {
  const [own, standard] = [given['service-timestamp'], given['webhook-timestamp']];
  if (own === undefined || standard === undefined || own === standard) return [];
  const says = 'The two timestamp headers differ; the service sends the same one in both.';
  return [note('timestamps_differ', says)];
}
