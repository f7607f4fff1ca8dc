/** The parts that the lists of payments and of refunds share. */
import { FormField } from '../../ui/form.tsx';
import { Pager, Select, Tabs } from '../parts.tsx';
import type { StaffRequest } from '../request.ts';
import { addressOf } from './query.ts';
import type { Days, Listing, Place } from './query.ts';

export const PAGE_ROWS = 50;

/** A page of a list. `next` is the cursor of the page after it, in the direction of reading. */
export interface Found<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

/** The links between the two lists. */
export function ListTabs({ request: { t, ctx } }: { request: StaffRequest }) {
  const places = [
    { to: '/payments', text: t('menu.payments') },
    { to: '/payments/refunds', text: t('payment.refunds') },
  ].map((place) => ({ ...place, isHere: ctx.path === place.to }));
  return <Tabs label={t('menu.payments')} places={places} />;
}

interface StatusFieldProps {
  readonly request: StaffRequest;
  readonly chosen: string;
  /** The statuses with their names. */
  readonly options: readonly (readonly [status: string, text: string])[];
}

export function StatusField({ request: { t }, chosen, options }: StatusFieldProps) {
  return (
    <Select
      id="status"
      label={t('payments.status')}
      options={[['', t('payments.any')], ...options]}
      chosen={chosen}
    />
  );
}

export function DayFields({ request: { t }, from, to }: { request: StaffRequest } & Days) {
  return (
    <>
      <FormField id="from" label={t('payments.from')} input={{ type: 'date', value: from }} />
      <FormField id="to" label={t('payments.to')} input={{ type: 'date', value: to }} />
    </>
  );
}

interface ExportLinkProps {
  readonly request: StaffRequest;
  readonly kind: 'payments' | 'refunds';
  /** The filters of the list that the export has, too. */
  readonly filters: Listing['filters'];
}

/** The link to the export of what the list shows. */
export function ExportLink({ request: { t, may }, kind, filters }: ExportLinkProps) {
  if (!may('payments.export')) return null;
  const listing = { path: '/exports', filters: { kind, ...filters } };
  return <a href={`${addressOf(listing)}#export-${kind}`}>{t('payments.export')}</a>;
}

interface AroundProps {
  readonly request: StaffRequest;
  readonly listing: Listing;
  readonly place: Place;
  readonly found: Found<{ readonly _id: string }>;
}

/** The links to the pages around this one. */
export function Around({ request, listing, place, found: { rows, next } }: AroundProps) {
  const [first, last] = [rows[0]?._id, rows.at(-1)?._id];
  const isBack = place.before !== undefined;
  const isStart = !isBack && place.after === undefined;
  const newer = isBack ? next : (!isStart && first) || null;
  const older = isBack ? last : next;
  const isPart = next !== null && rows.length < PAGE_ROWS;
  return (
    <>
      {isPart && <p class="hint">{request.t('payments.part')}</p>}
      <Pager
        request={request}
        newest={!isStart && addressOf(listing)}
        newer={newer && addressOf(listing, { before: newer })}
        older={older && addressOf(listing, { after: older })}
      />
    </>
  );
}
