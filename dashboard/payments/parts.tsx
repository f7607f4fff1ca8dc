/** The parts that the lists of payments and of refunds share. */
import { FormField } from '../../ui/form.tsx';
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
export function Tabs({ request: { t, ctx } }: { request: StaffRequest }) {
  const places = [
    { path: '/payments', text: t('menu.payments') },
    { path: '/payments/refunds', text: t('payment.refunds') },
  ];
  return (
    <nav class="tabs" aria-label={t('menu.payments')}>
      <ul>
        {places.map(({ path, text }) => (
          <li key={path}>
            <a href={path} {...(ctx.path === path && { 'aria-current': 'page' as const })}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface StatusFieldProps {
  readonly request: StaffRequest;
  readonly chosen: string;
  /** The statuses with their names. */
  readonly options: readonly (readonly [status: string, text: string])[];
}

export function StatusField({ request: { t }, chosen, options }: StatusFieldProps) {
  return (
    <p class="field">
      <label for="status">{t('payments.status')}</label>
      <select id="status" name="status">
        <option value="">{t('payments.any')}</option>
        {options.map(([status, text]) => (
          <option key={status} value={status} selected={status === chosen}>
            {text}
          </option>
        ))}
      </select>
    </p>
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

interface PagerProps {
  readonly request: StaffRequest;
  readonly listing: Listing;
  readonly place: Place;
  readonly found: Found<{ readonly _id: string }>;
}

/** The links to the pages around this one. */
export function Pager({ request: { t }, listing, place, found: { rows, next } }: PagerProps) {
  const [first, last] = [rows[0]?._id, rows.at(-1)?._id];
  const isBack = place.before !== undefined;
  const isStart = !isBack && place.after === undefined;
  const newer = isBack ? next : (!isStart && first) || null;
  const older = isBack ? last : next;
  const isPart = next !== null && rows.length < PAGE_ROWS;
  if (isStart && !older) return null;
  return (
    <nav class="pager" aria-label={t('payments.pages')}>
      {isPart && <p class="hint">{t('payments.part')}</p>}
      {!isStart && <a href={addressOf(listing)}>{t('payments.newest')}</a>}
      {newer && (
        <a href={addressOf(listing, { before: newer })} rel="prev">
          {t('payments.newer')}
        </a>
      )}
      {older && (
        <a href={addressOf(listing, { after: older })} rel="next">
          {t('older')}
        </a>
      )}
    </nav>
  );
}
