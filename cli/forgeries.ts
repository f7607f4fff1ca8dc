/** Deliveries that a receiver must refuse: anyone who can send one can mark orders as paid. */
import { makeWebhookSecret } from '../outbound/sign.ts';
import { mintId } from '../store/mint.ts';
import {
  both,
  onTheEdge,
  ownAlone,
  signaturesAs,
  standardAlone,
  stepper,
  without,
} from './steps.ts';
import type { HeaderChange, Kit, Probe } from './steps.ts';

const HOUR_SECONDS = 3_600;
/** The length of `v1=` or `v1,` and one more character. Every 16th or 64th guess matches. */
const SHORT_CHARACTERS = 4;

const refused = (name: string, rule: string, more: Pick<Probe, 'steps' | 'fix'>): Probe => {
  return { name, rule, expects: 'refused', otherwise: 'fail', ...more };
};

/** Returns all forgeries in their order. */
export function forgeries(kit: Kit): Probe[] {
  return [...unsigned(kit), ...nearlySigned(kit), ...untimely(kit)];
}

/** Returns requests that anyone can send without having seen a delivery. */
function unsigned(kit: Kit): Probe[] {
  const { fresh } = kit.specimens;
  const step = stepper(kit);
  const secrets = [makeWebhookSecret()];
  return [
    refused('wrong_secret', 'A signature of another secret is refused', {
      steps: [
        step('signed with another secret', fresh(), { secrets }),
        step('the same, Service-Signature alone', fresh(), { secrets, change: ownAlone }),
        step('the same, webhook-signature alone', fresh(), { secrets, change: standardAlone }),
      ],
      fix: 'Verify the signature, and respond with 401 if it does not fit: anyone can send this.',
    }),
    refused('no_signature', 'A request without its signature headers is refused', {
      steps: [
        step('no signature headers', fresh(), { change: without(/-(?:signature|timestamp|id)$/i) }),
        step('no timestamps', fresh(), { change: without(/-timestamp$/i) }),
        step('empty signatures', fresh(), { change: signaturesAs(() => '') }),
      ],
      fix: 'Respond with 401 if a header is missing: a request without one is not genuine.',
    }),
    refused('empty_key', 'A signature that was made with an empty key is refused', {
      steps: [step('signed with nothing', fresh(), { secrets: [''] })],
      fix: 'Exit at the start if the secret is not configured: everyone knows an empty key.',
    }),
  ];
}

const otherId: HeaderChange = (headers) => ({ ...headers, 'webhook-id': mintId('event') });

/** Returns genuine deliveries with one part changed. */
function nearlySigned(kit: Kit): Probe[] {
  const { fresh } = kit.specimens;
  const step = stepper(kit);
  const changed = fresh();
  const short = signaturesAs((signature) => signature.slice(0, SHORT_CHARACTERS));
  const half = signaturesAs((signature) => signature.slice(0, signature.length / 2));
  return [
    refused('changed_body', 'A body that was changed after signing is refused', {
      steps: [step('one digit of the amount changed', changed, { body: changeOne(changed.body) })],
      fix: 'Sign the whole raw body that you received, and compare with the header.',
    }),
    refused('cut_signature', 'A signature that was cut short is refused', {
      steps: [
        step('Service-Signature cut to 4 characters', fresh(), { change: both(ownAlone, short) }),
        step('webhook-signature cut to 4 characters', fresh(), {
          change: both(standardAlone, short),
        }),
        step('both cut to their first half', fresh(), { change: half }),
      ],
      fix:
        'Compare the whole signature, and its length first: the start of one can be guessed in a ' +
        'few tries.',
    }),
    refused('changed_id', 'A changed webhook-id is refused', {
      steps: [
        step('webhook-signature alone, with the webhook-id of another event', fresh(), {
          change: both(standardAlone, otherId),
        }),
      ],
      fix:
        'webhook-signature covers the header webhook-id too (id.timestamp.body): sign the received ' +
        'header, or a recorded request with another id is accepted as another event.',
    }),
  ];
}

/** Returns deliveries whose signatures are too old, or from the future. */
function untimely(kit: Kit): Probe[] {
  const { fresh } = kit.specimens;
  const step = stepper(kit);
  const shiftSeconds = -HOUR_SECONDS;
  return [
    refused('old', 'An old signature is refused', {
      steps: [
        onTheEdge(step('signed 301 s ago', fresh(), { shiftSeconds: -301 })),
        step('signed an hour ago', fresh(), { shiftSeconds }),
      ],
      fix: 'Refuse a timestamp of more than 300 s ago, or recorded requests can be sent again.',
    }),
    refused('other_timestamp', 'An old signature with a fresh timestamp is refused', {
      steps: [
        step('Service-Signature of an hour ago, webhook-timestamp of now', fresh(), {
          shiftSeconds,
          change: both(without(/^webhook-signature$/), stampedNow('webhook-timestamp')),
        }),
        step('webhook-signature of an hour ago, Service-Timestamp of now', fresh(), {
          shiftSeconds,
          change: both(without(/^Service-Signature$/), stampedNow('Service-Timestamp')),
        }),
      ],
      fix:
        'Use the timestamp that the signature covers, Service-Timestamp for Service-Signature ' +
        'and webhook-timestamp for webhook-signature: anyone who recorded a request can add the ' +
        'other one.',
    }),
    refused('future', 'A signature from the future is refused', {
      steps: [
        // A minute beyond the tolerance, because the receiver checks it a moment later.
        onTheEdge(step('signed 360 s ahead', fresh(), { shiftSeconds: 360 })),
        step('signed an hour ahead', fresh(), { shiftSeconds: HOUR_SECONDS }),
      ],
      fix: 'Refuse a timestamp of more than 300 s ahead: it would stay valid for too long.',
    }),
  ];
}

const stampedNow =
  (name: string): HeaderChange =>
  (headers) => ({ ...headers, [name]: String(Math.floor(Date.now() / 1_000)) });

/** Changes one digit of the amount. The text keeps its length and stays valid JSON. */
function changeOne(body: string): string {
  return body.replace(/"amount":(\d*)(\d)/, (_, rest: string, last: string) => {
    return `"amount":${rest}${(Number(last) + 1) % 10}`;
  });
}
