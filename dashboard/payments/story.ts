/** Everything that happened to a payment, read in three rounds of queries. */
import { actorIds } from '../../domain/audit.ts';
import type { AuditEntry } from '../../domain/audit.ts';
import type { Delivery } from '../../domain/delivery.ts';
import type { Event, EventRequest } from '../../domain/event.ts';
import type { Refund } from '../../domain/refund.ts';
import { listAudit } from '../../store/audit.ts';
import { keysOfCalls } from '../../store/calls.ts';
import { deliveriesOfEvents } from '../../store/deliveries.ts';
import { endpointUrls } from '../../store/endpoints.ts';
import { eventsOfPayment } from '../../store/events.ts';
import { keyNamesOf } from '../../store/keys.ts';
import { refundsOfPayment } from '../../store/refunds.ts';
import type { PaymentRow } from '../../store/rows.ts';
import { emailsOf } from '../../store/users.ts';
import type { StaffRequest } from '../request.ts';

/** The limits of the timeline. They keep the page short. */
export const MAX_EVENTS = 30;
export const MAX_REFUNDS = 10;
const MAX_DELIVERIES = 30;
const MAX_ENTRIES = 40;

export interface StoryEvent extends Pick<Event, '_id' | 'type' | 'cause' | 'created_at'> {
  /** The API request that caused it. */
  readonly request: EventRequest | null;
  /** True if some of its deliveries are left out. */
  readonly isCut: boolean;
}

export interface Story {
  readonly payment: PaymentRow;
  /** Newest first. */
  readonly refunds: readonly Refund[];
  /** Oldest first, as the deliveries. */
  readonly events: readonly StoryEvent[];
  /** Empty for users who may not see deliveries. */
  readonly deliveries: readonly Delivery[];
  readonly audit: readonly AuditEntry[];
  /** The URLs of endpoints by their ids. */
  readonly urls: ReadonlyMap<string, string>;
  /** The e-mail addresses of users by their ids. */
  readonly emails: ReadonlyMap<string, string>;
  /** The names of the API keys by the ids of requests in the log. Empty for those who see no log. */
  readonly keys: ReadonlyMap<string, string>;
  /** The names of API keys by their ids. Empty for those who see no log. */
  readonly keyNames: ReadonlyMap<string, string>;
  /** True if older refunds, or events, are left out. */
  readonly isCut: { readonly refunds: boolean; readonly events: boolean };
}

export async function readStory(request: StaffRequest, payment: PaymentRow): Promise<Story> {
  const { services, tenant, merchant } = request;
  const { mongo } = services;
  const [all, found] = await Promise.all([
    refundsOfPayment(mongo, payment),
    eventsOfPayment(mongo, payment, MAX_EVENTS + 1),
  ]);
  const refunds = all.slice(0, MAX_REFUNDS);
  const events = found.slice(-MAX_EVENTS);
  const eventIds = request.may('deliveries.read') ? events.map(({ _id }) => _id) : [];
  const sent = await deliveriesOfEvents(mongo, { tenant, eventIds }, MAX_DELIVERIES + 1);
  const deliveries = sent.slice(-MAX_DELIVERIES);
  const omitted = sent.length > MAX_DELIVERIES ? sent[0] : undefined;
  const told = events.map(({ _id, type, cause, created_at, body }) => ({
    _id,
    type,
    cause,
    created_at,
    request: (JSON.parse(body) as { request: EventRequest | null }).request,
    isCut: omitted !== undefined && created_at <= omitted.created_at,
  }));
  const objectIds = [payment, ...refunds, ...deliveries].map(({ _id }) => _id);
  const requestIds = [payment.request_id, ...told.map((event) => event.request?.id)];
  const [{ rows: audit }, urls, keyIds] = await Promise.all([
    listAudit(mongo, { merchantId: merchant._id, objectIds, limit: MAX_ENTRIES }),
    endpointUrls(
      mongo,
      tenant,
      deliveries.map(({ endpoint_id }) => endpoint_id),
    ),
    keysOfCalls(
      mongo,
      tenant,
      request.may('developers.read') ? requestIds.filter((id) => id !== undefined) : [],
    ),
  ]);
  const actingKeys = request.may('developers.read') ? actorIds(audit, 'api_key') : [];
  const [emails, names] = await Promise.all([
    emailsOf(mongo, merchant._id, actorIds(audit, 'user')),
    keyNamesOf(mongo, merchant._id, [...keyIds.values(), ...actingKeys]),
  ]);
  return {
    payment,
    refunds,
    events: told,
    deliveries,
    audit,
    urls,
    emails,
    keys: new Map([...keyIds].map(([id, key]) => [id, names.get(key) ?? key])),
    keyNames: names,
    isCut: { refunds: all.length > refunds.length, events: found.length > events.length },
  };
}

/** Returns true if something may still happen without anybody's doing. */
export function isUnderWay({ payment, deliveries }: Story): boolean {
  return (
    payment.open === true ||
    (payment.refunds?.pending ?? 0) > 0 ||
    deliveries.some(({ state }) => state === 'pending')
  );
}
