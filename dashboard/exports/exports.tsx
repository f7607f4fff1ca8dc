/** The page of the exports: a form with filters for each, to count its rows and to download it. */
import { shownUrl } from '../../domain/endpoint.ts';
import { dayOf } from '../../domain/stats.ts';
import { listEndpoints } from '../../store/endpoints.ts';
import { countRows } from '../../store/page.ts';
import type { Endpoint } from '../../domain/endpoint.ts';
import { FormField } from '../../ui/form.tsx';
import { Page } from '../layout.tsx';
import { Refusal } from '../../operations/refusal.ts';
import { refusalText } from '../text.ts';
import { Select } from '../parts.tsx';
import type { TextKey } from '../text.ts';
import type { Result, StaffRequest } from '../request.ts';
import { EXPORTS, FILTERS, paramOf, readQuery } from './query.ts';
import type { ExportName } from './query.ts';

/** The rows that are counted at most. The export itself has no limit. */
const MAX_COUNTED = 10_000;

/** `GET /exports?kind=payments&status=...` counts the rows of that export. */
export async function showExports(request: StaffRequest): Promise<Result> {
  const { services, tenant } = request;
  const kind = kindOf(request);
  const seesDeliveries = request.may('deliveries.read');
  const endpoints = seesDeliveries ? await listEndpoints(services.mongo, tenant) : null;
  if (kind === 'deliveries' && !seesDeliveries) request.ctx.throw(403);
  if (request.refusal || !kind) return { page: exportsPage(request, { kind, endpoints }) };
  try {
    const rows = await countExport(request, kind);
    return { page: exportsPage(request, { kind, endpoints, rows }) };
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    return { page: exportsPage({ ...request, refusal }, { kind, endpoints }), status: 422 };
  }
}

function kindOf(request: StaffRequest): ExportName | undefined {
  const named = /^\/exports\/(\w+)\.csv$/.exec(request.ctx.path)?.[1] ?? paramOf(request, 'kind');
  return EXPORTS.find((each) => each === named);
}

/** Counts the rows, up to one more than `MAX_COUNTED`. */
async function countExport(request: StaffRequest, name: ExportName): Promise<number> {
  const query = { ...(await readQuery(request, name)), limit: MAX_COUNTED + 1 };
  const { mongo } = request.services;
  if (name === 'payments') return countRows(mongo.payments, query);
  if (name === 'refunds') return countRows(mongo.refunds, query);
  return countRows(mongo.deliveries, query);
}

interface Shown {
  /** The export whose form was submitted. */
  readonly kind: ExportName | undefined;
  /** Null if the user may not see deliveries. */
  readonly endpoints: readonly Endpoint[] | null;
  readonly rows?: number;
}

function exportsPage(request: StaffRequest, { kind, endpoints, rows }: Shown) {
  const { t } = request;
  const names = EXPORTS.filter((name) => name !== 'deliveries' || endpoints !== null);
  return (
    <Page request={request} title={t('menu.exports')}>
      <p>{t('exports.intro')}</p>
      <p>{t('exports.broken')}</p>
      {names.map((name) => (
        <section key={name} id={`export-${name}`}>
          <h2>{t(`exports.${name}`)}</h2>
          {name === 'deliveries' && endpoints?.length === 0 ? (
            <p>{t('exports.no_endpoints')}</p>
          ) : (
            <>
              <Months request={request} name={name} endpoints={endpoints ?? []} />
              <ExportForm
                request={request}
                name={name}
                endpoints={endpoints ?? []}
                {...(name === kind && { isAsked: true, ...(rows !== undefined && { rows }) })}
              />
            </>
          )}
        </section>
      ))}
    </Page>
  );
}

interface MonthsProps {
  readonly request: StaffRequest;
  readonly name: ExportName;
  readonly endpoints: readonly Endpoint[];
}

/** Downloads of the last month and of this one, which need no form. */
function Months({ request, name, endpoints }: MonthsProps) {
  const { t, locale, now } = request;
  // With several endpoints, the form asks for one.
  if (name === 'deliveries' && endpoints.length !== 1) return null;
  const style = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return (
    <p class="buttons">
      {[-1, 0].map((offset) => {
        const { first, last } = monthOf(now, offset);
        const month = new Intl.DateTimeFormat(locale, style).format(first);
        const [endpoint] = endpoints;
        const query = new URLSearchParams({
          from: dayOf(first.getTime()),
          to: dayOf(last.getTime()),
          ...(name === 'deliveries' && endpoint && { endpoint: endpoint._id }),
        });
        return (
          <a key={offset} href={`/exports/${name}.csv?${query.toString()}`}>
            {t(offset === 0 ? 'exports.this_month' : 'exports.month', { month })}
          </a>
        );
      })}
    </p>
  );
}

/** Returns the first and the last day of the month that is `offset` months after that of `now`. */
function monthOf(now: Date, offset: number): { first: Date; last: Date } {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth() + offset];
  return { first: new Date(Date.UTC(year, month)), last: new Date(Date.UTC(year, month + 1, 0)) };
}

interface ExportFormProps {
  readonly request: StaffRequest;
  readonly name: ExportName;
  readonly endpoints: readonly Endpoint[];
  /** True if this form was submitted: it keeps its values and shows its errors. */
  readonly isAsked?: boolean;
  readonly rows?: number;
}

/** A form that works without a script: one button counts, the other downloads. */
function ExportForm({ request, name, endpoints, isAsked = false, rows }: ExportFormProps) {
  const { t } = request;
  const { statuses } = FILTERS[name];
  const form = { request, name, isAsked };
  return (
    <form method="get" action={`/exports/${name}.csv`}>
      <input type="hidden" name="kind" value={name} />
      <div class="filters">
        {name === 'deliveries' && (
          <Choice
            {...form}
            param="endpoint"
            options={endpoints.map(({ _id, url }) => [_id, shownUrl(url)])}
          />
        )}
        <Choice
          {...form}
          param="status"
          options={[
            ['', t('exports.any')],
            ...statuses.map((each) => [each, statusText(request, name, each)] as const),
          ]}
        />
        <Filter {...form} param="from" type="date" />
        <Filter {...form} param="to" type="date" />
        {name === 'payments' && <Filter {...form} param="order_id" type="text" />}
        {name === 'refunds' && <Filter {...form} param="payment_id" type="text" />}
      </div>
      {rows !== undefined && (
        <p class="notice" role="status">
          {rows > MAX_COUNTED
            ? t('exports.many_rows', { count: MAX_COUNTED })
            : t('exports.rows', { count: rows })}
        </p>
      )}
      <p class="buttons">
        <button class="main-button">{t('exports.download')}</button>
        <button formaction={`/exports#export-${name}`}>{t('exports.count')}</button>
      </p>
    </form>
  );
}

interface FilterProps {
  readonly request: StaffRequest;
  readonly name: ExportName;
  readonly isAsked: boolean;
}

const STATUS_TEXTS = {
  payments: 'status',
  refunds: 'refund_status',
  deliveries: 'delivery_state',
} as const;

/** Returns the status as pages show it, and as the file has it. */
function statusText({ t }: StaffRequest, name: ExportName, status: string): string {
  return `${t(`${STATUS_TEXTS[name]}.${status}` as TextKey)} (${status})`;
}

/** Returns an input's id. The summary of errors links to the inputs of the refused form by name. */
function idOf({ name, isAsked, param }: FilterProps & { readonly param: string }): string {
  return isAsked ? param : `${name}-${param}`;
}

type TextParam = 'from' | 'to' | 'order_id' | 'payment_id';

function Filter(props: FilterProps & { readonly param: TextParam; readonly type: string }) {
  const { request, isAsked, param, type } = props;
  const error = isAsked && request.refusal?.errors.find((each) => each.param === param);
  const value = isAsked ? paramOf(request, param) : '';
  return (
    <FormField
      id={idOf(props)}
      label={request.t(`exports.${param}`)}
      error={error ? refusalText(error) : undefined}
      input={{ name: param, type, ...(value && { value }) }}
    />
  );
}

function Choice(
  props: FilterProps & {
    readonly param: 'status' | 'endpoint';
    readonly options: readonly (readonly [value: string, text: string])[];
  },
) {
  const { request, isAsked, param, options } = props;
  return (
    <Select
      id={idOf(props)}
      name={param}
      label={request.t(`exports.${param}`)}
      options={options}
      chosen={isAsked ? paramOf(request, param) : ''}
    />
  );
}
