/** Ways in which receivers verify a request: the correct one, and common mistakes. */
import { createHmac } from 'node:crypto';
import { examine } from '../../check/examine.ts';
import type { Request } from '../../check/exchange.ts';
import { probesOf } from '../../check/probes.ts';
import { madeUpSpecimens } from '../../check/specimens.ts';
import { send } from '../../cli/post.ts';
import type { Finding } from '../../domain/check.ts';
import { makeWebhookSecret } from '../../outbound/sign.ts';
import { webhooks } from '../../sdk/index.ts';
import type { Event } from '../../sdk/index.ts';
import { ownDigest, standardDigest } from '../../sdk/signatures.ts';
import type { Behaviour, Received, Receiver } from '../support/receiver.ts';

/** The secret of all receivers. */
export const SECRET = makeWebhookSecret();

/** Checks the receiver at that address with made-up events. Returns all findings. */
export async function examineAll(
  address: string,
  { secrets, isOver }: { secrets: readonly string[]; isOver?: () => boolean },
): Promise<Finding<string>[]> {
  const url = new URL(address);
  const specimens = madeUpSpecimens();
  const bench = {
    send: async (request: Request) => send({ ...request, url }),
    isReal: false,
    ...(isOver && { isOver }),
  };
  const findings: Finding<string>[] = [];
  for await (const finding of examine(probesOf({ specimens, secrets }), bench)) {
    findings.push(finding);
  }
  return findings;
}

/** Verifies a request. Throws to refuse it. */
export type Take = (request: Received) => unknown;
/** Returns the response to an accepted event. `times` counts the arrivals of its bytes. */
export type Then = (event: Event, times: number) => Behaviour;

/** Returns 200 if `take` accepts, 401 if it throws, and 405 for another method. */
export const answerOf =
  (self: () => Receiver, take: Take, then: Then = () => ({ status: 200 })) =>
  (_: number, request: Received): Behaviour => {
    if (request.method !== 'POST') return { status: 405 };
    try {
      take(request);
    } catch {
      return { status: 401 };
    }
    const same = self().requests.filter(({ raw }) => raw.equals(request.raw));
    return then(JSON.parse(request.raw.toString()) as Event, same.length);
  };

export const genuine: Take = ({ raw, headers }) => webhooks.verify(raw, headers, SECRET);

/** Parses the body before it verifies it. */
export const throughJson: Take = ({ raw, headers }) =>
  webhooks.verify(JSON.stringify(JSON.parse(raw.toString())), headers, SECRET);

/** Reads only the first signatures of the header. */
export const firstOf =
  (count: number): Take =>
  ({ raw, headers }) => {
    const signatures = String(headers['service-signature']).split(',').slice(0, count).join(',');
    const seen = { 'service-signature': signatures, 'webhook-signature': undefined };
    webhooks.verify(raw, { ...headers, ...seen }, SECRET);
  };

/** Accepts an empty key, as if one of the receiver's processes had no secret configured. */
export const withEmptyKey: Take = (request) => {
  const { raw, headers } = request;
  const timestamp = String(headers['service-timestamp']);
  const mac = createHmac('sha256', '').update(`${timestamp}.`).update(raw).digest('hex');
  if (headers['service-signature'] !== `v1=${mac}`) genuine(request);
};

/** Decodes the body with the wrong encoding. */
export const latin1: Take = ({ raw, headers }) =>
  webhooks.verify(raw.toString('latin1'), headers, SECRET);

type Form = 'own' | 'standard';

/** Returns the parts of one form, and its right signature. */
function formOf(form: Form, { raw, headers }: Received) {
  const isOwn = form === 'own';
  const of = (name: string): string => String(headers[name] ?? '');
  const timestamp = of(isOwn ? 'service-timestamp' : 'webhook-timestamp');
  const message = { id: of('webhook-id'), timestamp, body: raw };
  const expected = isOwn
    ? `v1=${ownDigest(message, SECRET).toString('hex')}`
    : `v1,${standardDigest(message, SECRET).toString('base64')}`;
  const given = isOwn ? of('service-signature').split(',') : of('webhook-signature').split(' ');
  return { timestamp, expected, given };
}

function assertFresh(timestamp: unknown): void {
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= 300)) throw new Error('too old');
}

/** Checks the age by the timestamp header of the other form. */
export const timedByTheOther =
  (form: Form): Take =>
  (request) => {
    const { timestamp, expected, given } = formOf(form, request);
    const { headers } = request;
    const other = headers[form === 'own' ? 'webhook-timestamp' : 'service-timestamp'];
    assertFresh(other ?? timestamp);
    if (!given.includes(expected)) throw new Error('not signed');
  };

/** Accepts the start of a signature. */
export const startingWith =
  (form: Form, least: number): Take =>
  (request) => {
    const { timestamp, expected, given } = formOf(form, request);
    assertFresh(timestamp);
    const fits = given.some((each) => each.length >= least && expected.startsWith(each));
    if (!fits) throw new Error('not signed');
  };

/** Reads the event's id from the body, and ignores the header. */
export const idOfBody: Take = ({ raw, headers }) => {
  const { id } = JSON.parse(raw.toString()) as Event;
  webhooks.verify(raw, { ...headers, 'webhook-id': id }, SECRET);
};

/** Verifies its own form. Of the other one, checks only that it is present. */
export const standardUnread: Take = (request) => {
  const { headers } = request;
  if (headers['service-signature'] !== undefined) return genuine(request);
  assertFresh(headers['webhook-timestamp']);
  if (!headers['webhook-signature']) throw new Error('not signed');
  return undefined;
};

/** Every check for a request that must be refused, except `method`. */
export const FORGERIES = [
  'wrong_secret',
  'no_signature',
  'empty_key',
  'changed_body',
  'cut_signature',
  'changed_id',
  'old',
  'other_timestamp',
  'future',
];
