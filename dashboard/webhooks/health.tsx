/** The health of an endpoint at a glance: numbers, and a plot of its newest deliveries. */
import type { ComponentChildren } from 'preact';
import type { Endpoint } from '../../domain/endpoint.ts';
import { delayOf, healthOf } from '../../domain/health.ts';
import type { Health } from '../../domain/health.ts';
import { firstIdAt } from '../../domain/id.ts';
import { lastSuccessAt, listDeliveries } from '../../store/deliveries.ts';
import type { DeliveryLine } from '../../store/deliveries.ts';
import { Time } from '../layout.tsx';
import { percent } from '../overview/figures.ts';
import type { StaffRequest } from '../request.ts';
import { durationText } from './parts.tsx';

const DAY_MS = 24 * 60 * 60 * 1_000;

export interface ShownHealth extends Health {
  /** The endpoint's newest deliveries of the last day, newest first. */
  readonly lines: readonly DeliveryLine[];
  /** True if the day had more deliveries than were read. */
  readonly isCut: boolean;
  readonly acceptedAt: Date | null;
}

/** Returns the health of the last day, from the newest `limit` deliveries at most. */
export async function readHealth(
  { services, now }: StaffRequest,
  endpoint: Endpoint,
  limit: number,
): Promise<ShownHealth> {
  const { mongo } = services;
  const { m, _id: endpoint_id } = endpoint;
  const from = firstIdAt('delivery', now.getTime() - DAY_MS);
  const read = await listDeliveries(mongo, { m, endpoint_id }, { from, limit: limit + 1 });
  const lines = read.slice(0, limit);
  const accepted = lines.find(({ state }) => state === 'succeeded')?.attempts.at(-1)?.at;
  const acceptedAt = accepted ?? (await lastSuccessAt(mongo, endpoint));
  return { ...healthOf(lines), lines, isCut: read.length > limit, acceptedAt };
}

interface HealthProps {
  readonly request: StaffRequest;
  readonly endpoint: Endpoint;
  readonly health: ShownHealth;
}

export function HealthOf({ request, endpoint, health }: HealthProps) {
  const { t, locale } = request;
  const { acceptedPercent, medianMs, acceptedAt, lines } = health;
  const { failing_since: failing } = endpoint;
  return (
    <>
      <dl class="figures">
        <Figure name={t('hooks.accepted')}>
          {acceptedPercent === null ? (
            t('none')
          ) : (
            <strong>{percent(acceptedPercent, 100, locale)}</strong>
          )}
        </Figure>
        <Figure name={t('hooks.median')}>
          {medianMs === null ? t('none') : <strong>{durationText(medianMs, locale)}</strong>}
        </Figure>
        <Figure name={t('hooks.last_success')}>
          {acceptedAt ? <Time request={request} at={acceptedAt} /> : t('never')}
        </Figure>
        {failing && (
          <Figure name={t('hooks.failing_since')}>
            <span class="bad">
              <Time request={request} at={failing} />
            </span>
          </Figure>
        )}
      </dl>
      <p class="hint">{summaryOf(request, health)}</p>
      {lines.length > 0 && (
        <Plot request={request} lines={lines} label={summaryOf(request, health)} />
      )}
    </>
  );
}

function Figure({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Returns in words what the numbers and the plot are made of. */
function summaryOf({ t }: StaffRequest, { lines, isCut, counts }: ShownHealth): string {
  if (lines.length === 0) return t('hooks.quiet');
  const { succeeded, failed, pending, skipped, stopped } = counts;
  const values = { count: lines.length, succeeded, failed, pending, unsent: skipped + stopped };
  return `${t(isCut ? 'hooks.last_ones' : 'hooks.last_day', values)} ${t('hooks.counts', values)}`;
}

interface PlotProps {
  readonly request: StaffRequest;
  readonly lines: readonly DeliveryLine[];
  readonly label: string;
}

/** The size of the drawing, in its own units. The page stretches it. */
const STEP = 10;
const BAR = 8;
const HEIGHT = 100;
const SHORTEST = 8;
/** The least width of the drawing, in deliveries: few bars stay narrow. */
const MIN_STEPS = 60;
/** Delays up to this have the shortest bar. Every tenfold makes it longer by the same step. */
const QUICK_MS = 10;
/** The powers of ten from the shortest bar to the longest, which means 1,000 s or more. */
const POWERS = 5;

/** One bar for each delivery, oldest first. An accepted one is as high as it took long. */
function Plot({ request, lines, label }: PlotProps) {
  const paths = { succeeded: '', pending: '', failed: '', skipped: '', stopped: '' };
  const first = Math.max(0, MIN_STEPS - lines.length);
  for (const [index, line] of lines.toReversed().entries()) {
    const height = line.state === 'succeeded' ? heightOf(delayOf(line)) : HEIGHT;
    paths[line.state] += `M${(first + index) * STEP + 1} ${HEIGHT}v-${height}h${BAR}v${height}z`;
  }
  const [newest, oldest] = [lines[0], lines.at(-1)];
  return (
    <div class="plot">
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${(first + lines.length) * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
      >
        {Object.entries(paths).map(
          ([state, path]) => path !== '' && <path key={state} class={`bar-${state}`} d={path} />,
        )}
      </svg>
      <p>
        {oldest && <Time request={request} at={oldest.created_at} />}
        {newest && newest !== oldest && <Time request={request} at={newest.created_at} />}
      </p>
    </div>
  );
}

function heightOf(delayMs: number): number {
  const powers = Math.log10(Math.max(delayMs, QUICK_MS) / QUICK_MS);
  return Math.round(SHORTEST + ((HEIGHT - SHORTEST) * Math.min(powers, POWERS)) / POWERS);
}
