/** The parts of the probes: deliveries with one thing changed in each. */
import type { CheckCode, StepCode } from '../domain/check.ts';
import { mintId } from '../store/mint.ts';
import { deliveryHeaders } from './envelope.ts';
import type { EventText } from './envelope.ts';
import type { Request } from './exchange.ts';
import type { Specimens } from './specimens.ts';

export interface Step {
  readonly step: StepCode;
  /** Creates the request when it is sent, because a signature expires. */
  readonly request: () => Request;
  /** The verdict for a borderline case, instead of the probe's own. */
  readonly otherwise?: 'warning';
}

export interface Probe {
  readonly check: CheckCode;
  /** `either`: one of the steps has to be accepted. */
  readonly expects: 'accepted' | 'refused' | 'either';
  readonly steps: readonly Step[];
  /** The verdict if the rule is broken. */
  readonly otherwise: 'fail' | 'warning';
}

/** The materials of all probes. */
export interface Kit {
  readonly specimens: Specimens;
  readonly secrets: readonly string[];
}

type Headers = Record<string, string>;
export type HeaderChange = (headers: Headers) => Headers;

interface How {
  readonly secrets?: readonly string[];
  readonly shiftSeconds?: number;
  /** Sent in place of the body that was signed. */
  readonly body?: string;
  readonly change?: HeaderChange;
}

/** Returns a function that makes a step from its code, an event, and its deviations. */
export const stepper =
  ({ secrets: usual }: Kit) =>
  (step: StepCode, event: EventText, how: How = {}): Step => {
    const { secrets = usual, shiftSeconds = 0, body = event.body, change } = how;
    const request = (): Request => {
      const stamp = { secrets, deliveryId: mintId('delivery'), attempt: 1, shiftSeconds };
      const headers = deliveryHeaders(event, stamp);
      return { headers: change ? change(headers) : headers, body };
    };
    return { step, request };
  };

/** Returns the step as a borderline case: a receiver's clock may be slightly wrong. */
export const onTheEdge = (step: Step): Step => ({ ...step, otherwise: 'warning' });

export const without =
  (names: RegExp): HeaderChange =>
  (headers) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !names.test(name)));

/** Leaves only `Service-Signature`. */
export const ownAlone = without(/^webhook-/);
/** Leaves only the form of Standard Webhooks. */
export const standardAlone = without(/^Service-(?:S|T)/);

/** Replaces each signature of each signature header. */
export const signaturesAs =
  (make: (signature: string) => string): HeaderChange =>
  (headers) =>
    Object.fromEntries(
      Object.entries(headers).map(([name, value]) => {
        if (!/signature$/i.test(name)) return [name, value];
        const each = name.startsWith('webhook-') ? /[^ ]+/g : /[^,]+/g;
        return [name, value.replaceAll(each, make)];
      }),
    );

export const both =
  (first: HeaderChange, second: HeaderChange): HeaderChange =>
  (headers) =>
    second(first(headers));
