/** A receiver's check of both signatures: one by hand, one with the public library. */
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { Received, Receiver } from './receiver.ts';
import type { PublicEvent } from './merchant.ts';

const TOLERANCE_SECONDS = 300;

/** The checked parts of a request. Header names are in lower case. */
type Signed = Pick<Received, 'headers' | 'raw' | 'at'>;

/** Throws if `Service-Signature` is wrong, too old or too new. */
export function verifyOwn({ headers, raw, at }: Signed, secret: string): void {
  const timestamp = String(headers['service-timestamp']);
  const mac = createHmac('sha256', secret).update(`${timestamp}.`).update(raw).digest('hex');
  const signatures = String(headers['service-signature']).split(',');
  if (!signatures.includes(`v1=${mac}`)) throw new Error('Service-Signature is wrong.');
  const ageSeconds = Math.abs(at / 1000 - Number(timestamp));
  if (!(ageSeconds <= TOLERANCE_SECONDS)) throw new Error(`Signed ${ageSeconds} s ago.`);
}

/** Returns the event of a request. Throws if either signature is wrong. */
export function verify({ headers, raw, at }: Received, secret: string): PublicEvent {
  verifyOwn({ headers, raw, at }, secret);
  const text = raw.toString('utf8');
  const own = Object.entries(headers).filter(([name]) => name.startsWith('webhook-'));
  const event = new Webhook(secret).verify(text, Object.fromEntries(own) as never) as PublicEvent;
  if (event.id !== headers['webhook-id']) throw new Error('webhook-id is not the id of the event.');
  return event;
}

/**
 * Has the receiver verify each request when it arrives, because later its signature is too old.
 * Returns the events, which grow.
 */
export function takeEvents(receiver: Receiver, secret: string): readonly PublicEvent[] {
  const events: PublicEvent[] = [];
  receiver.respond = (_, request) => {
    events.push(verify(request, secret));
    return { status: 200 };
  };
  return events;
}
