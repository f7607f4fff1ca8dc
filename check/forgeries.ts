/** Deliveries that a receiver must refuse: anyone who can send one can mark orders as paid. */
import type { CheckCode } from '../domain/check.ts';
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
import type { HeaderChange, Kit, Probe, Step } from './steps.ts';

const HOUR_SECONDS = 3_600;
/** The length of `v1=` or `v1,` and one more character. Every 16th or 64th guess matches. */
const SHORT_CHARACTERS = 4;

const refused = (check: CheckCode, steps: readonly Step[]): Probe => {
  return { check, expects: 'refused', otherwise: 'fail', steps };
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
    refused('wrong_secret', [
      step('wrong_secret', fresh(), { secrets }),
      step('wrong_secret_own', fresh(), { secrets, change: ownAlone }),
      step('wrong_secret_standard', fresh(), { secrets, change: standardAlone }),
    ]),
    refused('no_signature', [
      step('no_headers', fresh(), { change: without(/-(?:signature|timestamp|id)$/i) }),
      step('no_timestamps', fresh(), { change: without(/-timestamp$/i) }),
      step('empty_signatures', fresh(), { change: signaturesAs(() => '') }),
    ]),
    refused('empty_key', [step('empty_key', fresh(), { secrets: [''] })]),
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
    refused('changed_body', [step('changed_digit', changed, { body: changeOne(changed.body) })]),
    refused('cut_signature', [
      step('cut_own', fresh(), { change: both(ownAlone, short) }),
      step('cut_standard', fresh(), { change: both(standardAlone, short) }),
      step('cut_half', fresh(), { change: half }),
    ]),
    refused('changed_id', [step('other_id', fresh(), { change: both(standardAlone, otherId) })]),
  ];
}

/** Returns deliveries whose signatures are too old, or from the future. */
function untimely(kit: Kit): Probe[] {
  const { fresh } = kit.specimens;
  const step = stepper(kit);
  const shiftSeconds = -HOUR_SECONDS;
  return [
    refused('old', [
      onTheEdge(step('old_edge', fresh(), { shiftSeconds: -301 })),
      step('old', fresh(), { shiftSeconds }),
    ]),
    refused('other_timestamp', [
      step('old_own', fresh(), {
        shiftSeconds,
        change: both(without(/^webhook-signature$/), stampedNow('webhook-timestamp')),
      }),
      step('old_standard', fresh(), {
        shiftSeconds,
        change: both(without(/^Service-Signature$/), stampedNow('Service-Timestamp')),
      }),
    ]),
    refused('future', [
      // A minute beyond the tolerance, because the receiver checks it a moment later.
      onTheEdge(step('future_edge', fresh(), { shiftSeconds: 360 })),
      step('future', fresh(), { shiftSeconds: HOUR_SECONDS }),
    ]),
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
