/** What the probes of `tollgate check` are made of: deliveries with one thing changed in each. */
import { mintId } from '../store/mint.ts';
import { deliveryHeaders } from './envelope.ts';
import type { Parcel } from './envelope.ts';
import type { Shot } from './post.ts';
import type { Specimens } from './specimens.ts';

export interface Step {
  /** In words. */
  readonly sent: string;
  /** Made when it is sent: a signature that waits for its turn grows old. */
  readonly shot: () => Omit<Shot, 'url'>;
  /** In place of the probe's own, for what is only on the edge. */
  readonly otherwise?: 'warning';
}

export interface Probe {
  readonly name: string;
  /** The rule. */
  readonly rule: string;
  /** `either`: one of the steps has to be accepted. */
  readonly expects: 'accepted' | 'refused' | 'either';
  readonly steps: readonly Step[];
  /** How bad it is when the rule is broken. */
  readonly otherwise: 'fail' | 'warning';
  /** What to do then, and why. */
  readonly fix: string;
}

export interface Means {
  readonly specimens: Specimens;
  readonly secrets: readonly string[];
}

type Headers = Record<string, string>;
export type HeaderChange = (headers: Headers) => Headers;

interface How {
  readonly secrets?: readonly string[];
  readonly shiftSeconds?: number;
  /** What is sent in place of what was signed. */
  readonly body?: string;
  readonly change?: HeaderChange;
}

const same: HeaderChange = (headers) => headers;

/** A function that makes steps: what is sent in words, the delivery, and what is special in it. */
export const stepper = ({ secrets }: Means) => {
  return (sent: string, parcel: Parcel, how: How = {}): Step => {
    const { secrets: signing = secrets, shiftSeconds = 0, change = same } = how;
    const shot = (): Omit<Shot, 'url'> => {
      const stamp = { secrets: signing, deliveryId: mintId('delivery'), attempt: 1, shiftSeconds };
      return { headers: change(deliveryHeaders(parcel, stamp)), body: how.body ?? parcel.body };
    };
    return { sent, shot };
  };
};

/** A receiver's clock may be a little off: only what is far from the edge is sure. */
export const onTheEdge = (step: Step): Step => ({ ...step, otherwise: 'warning' });

export const without =
  (gone: RegExp): HeaderChange =>
  (headers) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !gone.test(name)));

/** `Service-Signature` alone. */
export const ownAlone = without(/^webhook-/);
/** The form of Standard Webhooks alone. */
export const standardAlone = without(/^Service-(?:S|T)/);

/** What each signature header becomes; the others stay. */
export const signaturesAs =
  (make: (signature: string) => string): HeaderChange =>
  (headers) =>
    Object.fromEntries(
      Object.entries(headers).map(([name, value]) => {
        return [name, /signature$/i.test(name) ? make(value) : value];
      }),
    );

/** Header by header, one change after the other. */
export const both =
  (first: HeaderChange, second: HeaderChange): HeaderChange =>
  (headers) =>
    second(first(headers));
