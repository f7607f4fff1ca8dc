/**
 * Facts about what this process does, for metrics. Publishing costs next to nothing while nobody
 * subscribes. A fact may be lost in a crash, and no code may depend on it.
 */
import { channel } from 'node:diagnostics_channel';
import type { Channel } from 'node:diagnostics_channel';
import type { FailureCode } from './domain/bank.ts';
import type { DeliveryError } from './domain/delivery.ts';
import type { TransitionName } from './domain/payment.ts';
import type { RefundStatus } from './domain/refund.ts';

/** Every kind of fact, with what is known about it. None has an id or a merchant. */
export interface Facts {
  /** A payment was created. */
  created: { readonly currency: string };
  /** A payment's status changed. */
  changed: {
    readonly transition: TransitionName;
    readonly currency: string;
    readonly code: FailureCode | null;
  };
  /** A refund was created or has ended. */
  refund: { readonly status: RefundStatus; readonly currency: string };
  /** An attempt of a delivery was recorded. */
  attempt: {
    readonly number: number;
    readonly status: number | null;
    readonly error: DeliveryError | null;
    /** Null if another attempt follows. */
    readonly ended: 'succeeded' | 'failed' | null;
    readonly durationMs: number;
    /**
     * From the event to the beginning and to the end of the attempt. Null if somebody asked for the
     * delivery, because then its event may be old.
     */
    readonly lagMs: { readonly begin: number; readonly end: number } | null;
  };
  /** The service disabled an endpoint. */
  disabled: { readonly reason: 'gone' | 'failing' };
  /** A round of the sweep ended. */
  swept: {
    /** Rows that it resumed, by kind. */
    readonly payments: number;
    readonly refunds: number;
    readonly replays: number;
    readonly deliveries: number;
    /** Rows that it could not resume. */
    readonly failed: number;
    /** The steps that it did not finish. */
    readonly unfinished: readonly string[];
  };
  /** A request has its response. `route` is the pattern; null if no route matches. */
  request: {
    readonly service: string;
    readonly method: string;
    readonly route: string | null;
    readonly status: number;
    readonly durationMs: number;
    /** True if the response is the stored one of an earlier request. */
    readonly isReplay: boolean;
  };
  /** A browser reported that a page violated its security policy. */
  violation: { readonly directive: string };
  /** The API refused a request. */
  refused: { readonly code: string };
  /** MongoDB replied to a command, or the command failed. */
  command: { readonly name: string; readonly durationMs: number; readonly isFailed: boolean };
  /** A call to Temporal has ended. `isFailed` if Temporal did not reply in time. */
  call: { readonly name: string; readonly durationMs: number; readonly isFailed: boolean };
}

export type FactName = keyof Facts;

const channels = new Map<FactName, Channel>();

function channelOf(name: FactName): Channel {
  const known = channels.get(name) ?? channel(`tollgate:${name}`);
  channels.set(name, known);
  return known;
}

/** Publishes a fact to the subscribers, at once. */
export function publish<Name extends FactName>(name: Name, fact: Facts[Name]): void {
  channelOf(name).publish(fact);
}

/** Calls `listener` for each fact of that kind. Returns a function that ends this. */
export function subscribe<Name extends FactName>(
  name: Name,
  listener: (fact: Facts[Name]) => void,
): () => void {
  const on = (fact: unknown): void => listener(fact as Facts[Name]);
  const subscribed = channelOf(name);
  subscribed.subscribe(on);
  return () => {
    subscribed.unsubscribe(on);
  };
}
