/** Everything that happened to a payment, read in two rounds of queries. */
import { actorIds } from '../../domain/audit.ts';
import type { AuditEntry } from '../../domain/audit.ts';
import type { Delivery } from '../../domain/delivery.ts';
import type { Event } from '../../domain/event.ts';
import type { Refund } from '../../domain/refund.ts';
import { listAudit } from '../../store/audit.ts';
import { deliveriesOfEvents } from '../../store/deliveries.ts';
import { endpointUrls } from '../../store/endpoints.ts';
import { eventsOfPayment } from '../../store/events.ts';
import { refundsOfPayment } from '../../store/refunds.ts';
import type { PaymentRow } from '../../store/rows.ts';
import { emailsOf } from '../../store/users.ts';
import type { StaffRequest } from '../request.ts';

/** The limits of the timeline. They keep the page short. */
const MAX_EVENTS = 40;
const MAX_DELIVERIES = 50;
const MAX_ENTRIES = 40;

export interface Story {
  readonly payment: PaymentRow;
  /** Newest first. */
  readonly refunds: readonly Refund[];
  /** Oldest first, as the deliveries. */
  readonly events: readonly Event[];
  /** Empty for users who may not see deliveries. */
  readonly deliveries: readonly Delivery[];
  readonly audit: readonly AuditEntry[];
  /** The URLs of endpoints by their ids. */
  readonly urls: ReadonlyMap<string, string>;
  /** The e-mail addresses of users by their ids. */
  readonly emails: ReadonlyMap<string, string>;
  /** True if older events or deliveries are left out. */
  readonly isCut: boolean;
}

export async function readStory(request: StaffRequest, payment: PaymentRow): Promise<Story> {
  const { services, tenant, merchant } = request;
  const { mongo } = services;
  const [refunds, events] = await Promise.all([
    refundsOfPayment(mongo, payment),
    eventsOfPayment(mongo, payment, MAX_EVENTS),
  ]);
  const eventIds = request.may('deliveries.read') ? events.map(({ _id }) => _id) : [];
  const deliveries = await deliveriesOfEvents(mongo, { tenant, eventIds }, MAX_DELIVERIES);
  const objectIds = [payment, ...refunds, ...deliveries].map(({ _id }) => _id);
  const [{ rows: audit }, urls] = await Promise.all([
    listAudit(mongo, { merchantId: merchant._id, objectIds, limit: MAX_ENTRIES }),
    endpointUrls(
      mongo,
      tenant,
      deliveries.map(({ endpoint_id }) => endpoint_id),
    ),
  ]);
  const emails = await emailsOf(mongo, merchant._id, actorIds(audit));
  const isCut = events.length === MAX_EVENTS || deliveries.length === MAX_DELIVERIES;
  return { payment, refunds, events, deliveries, audit, urls, emails, isCut };
}

/** Returns true if something may still happen without anybody's doing. */
export function isUnderWay({ payment, refunds, deliveries }: Story): boolean {
  return (
    payment.open === true ||
    refunds.some(({ status }) => status === 'pending') ||
    deliveries.some(({ state }) => state === 'pending')
  );
}
