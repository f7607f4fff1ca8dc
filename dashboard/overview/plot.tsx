/** A plot of bars, one for each day, drawn on the server. Its numbers follow as a table. */
import { Table } from '../parts.tsx';
import type { StaffRequest } from '../request.ts';

export interface Bars {
  readonly name: string;
  /** A value for each day. */
  readonly values: readonly number[];
}

interface PlotProps {
  readonly request: StaffRequest;
  readonly title: string;
  /** Days as in `2026-11-22`, oldest first. */
  readonly days: readonly string[];
  /** Drawn in front of one another, so the larger values come first. */
  readonly series: readonly Bars[];
  /** Returns a value as text. */
  readonly show: (value: number) => string;
}

/** The size of the drawing, in its own units. The page stretches it. */
const STEP = 10;
const BAR = 8;
const HEIGHT = 100;
/** The days that are named below the bars. */
const NAMED_DAYS = 4;

export function Plot({ request, title, days, series, show }: PlotProps) {
  const top = roundTop(Math.max(1, ...series.flatMap(({ values }) => values)));
  const named = Array.from({ length: NAMED_DAYS }, (_, nth) =>
    days.at(Math.round((nth * (days.length - 1)) / (NAMED_DAYS - 1))),
  );
  return (
    <figure>
      <figcaption>
        {title}
        {series.length > 1 && <Legend series={series} />}
      </figcaption>
      <div class="plot" aria-hidden="true">
        <svg viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`} preserveAspectRatio="none">
          {series.map(({ name, values }, nth) => (
            <path key={name} class={`bar-${nth}`} d={barsPath(values, top)} />
          ))}
        </svg>
        <p class="values">
          <span>{show(top)}</span>
          {top % 2 === 0 && <span>{show(top / 2)}</span>}
          <span>0</span>
        </p>
        <p>
          {named.map((day) => (
            <span key={day}>{shownDay(day, request.locale)}</span>
          ))}
        </p>
      </div>
      <Numbers request={request} title={title} days={days} series={series} show={show} />
    </figure>
  );
}

/** Returns the next round number: 1, 2 or 5 with zeros. Half of it is round, too. */
function roundTop(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((step) => step * unit).find((round) => round >= value) ?? value;
}

/** The names of the bars' colours. */
function Legend({ series }: { series: readonly Bars[] }) {
  return (
    <span class="legend">
      {series.map(({ name }, nth) => (
        <span key={name}>
          <svg viewBox="0 0 1 1" aria-hidden="true">
            <rect class={`bar-${nth}`} width="1" height="1" />
          </svg>{' '}
          {name}
        </span>
      ))}
    </span>
  );
}

/** The same as a table, for readers who want the numbers or cannot see the bars. */
function Numbers({ request, days, series, show }: PlotProps) {
  const { t, locale } = request;
  const names = series.map(({ name }) => [name, 'number'] as const);
  return (
    <details>
      <summary>{t('overview.numbers')}</summary>
      <Table head={[t('overview.day'), ...names]}>
        {days.map((day, index) => (
          <tr key={day}>
            <th scope="row">{shownDay(day, locale)}</th>
            {series.map(({ name, values }) => (
              <td key={name} class="number">
                {show(values[index] ?? 0)}
              </td>
            ))}
          </tr>
        ))}
      </Table>
    </details>
  );
}

/** Returns all bars as one path, which keeps the page small. A value above 0 is always visible. */
function barsPath(values: readonly number[], top: number): string {
  return values
    .map((value, index) => {
      if (value === 0) return '';
      const height = Math.max(1, Math.round((value / top) * HEIGHT));
      return `M${index * STEP + 1} ${HEIGHT}v-${height}h${BAR}v${height}z`;
    })
    .join('');
}

function shownDay(day: string | undefined, locale: string): string {
  if (day === undefined) return '';
  const style = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(locale, style).format(new Date(day));
}
