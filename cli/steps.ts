/** The parts of the probes of `tollgate check`: deliveries with one thing changed in each. */
import { mintId } from '../store/mint.ts';
import { deliveryHeaders } from './envelope.ts';
import type { EventText } from './envelope.ts';
import type { Request } from './post.ts';
import type { Specimens } from './specimens.ts';

export interface Step {
  /** A description for people. */
  readonly sent: string;
  /** Creates the request when it is sent, because a signature expires. */
  readonly request: () => Omit<Request, 'url'>;
  /** The verdict for a borderline case, instead of the probe's own. */
  readonly otherwise?: 'warning';
}

export interface Probe {
  readonly name: string;
  readonly rule: string;
  /** `either`: one of the steps has to be accepted. */
  readonly expects: 'accepted' | 'refused' | 'either';
  readonly steps: readonly Step[];
  /** The verdict if the rule is broken. */
  readonly otherwise: 'fail' | 'warning';
  /** What to do then, and why. */
  readonly fix: string;
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

/** Returns a function that makes a step from a description, an event, and its deviations. */
export const stepper =
  ({ secrets: usual }: Kit) =>
  (sent: string, event: EventText, how: How = {}): Step => {
    const { secrets = usual, shiftSeconds = 0, body = event.body, change } = how;
    const request = (): Omit<Request, 'url'> => {
      const stamp = { secrets, deliveryId: mintId('delivery'), attempt: 1, shiftSeconds };
      const headers = deliveryHeaders(event, stamp);
      return { headers: change ? change(headers) : headers, body };
    };
    return { sent, request };
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

/** Replaces the value of each signature header. */
export const signaturesAs =
  (make: (signature: string) => string): HeaderChange =>
  (headers) =>
    Object.fromEntries(
      Object.entries(headers).map(([name, value]) => {
        return [name, /signature$/i.test(name) ? make(value) : value];
      }),
    );

export const both =
  (first: HeaderChange, second: HeaderChange): HeaderChange =>
  (headers) =>
    second(first(headers));
