/** A plot of bars, one for each day, drawn on the server. Its numbers follow as a table. */
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

export function Plot({ request, title, days, series, show }: PlotProps) {
  const { t } = request;
  const top = Math.max(1, ...series.flatMap(({ values }) => values));
  return (
    <figure class="day-plot">
      <figcaption>{title}</figcaption>
      {series.length > 1 && (
        <ul class="legend">
          {series.map(({ name }, nth) => (
            <li key={name} class={`legend-${nth}`}>
              {name}
            </li>
          ))}
        </ul>
      )}
      <p class="hint">{show(top)}</p>
      <svg
        viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {series.map(({ name, values }, nth) => (
          <path key={name} class={`bar-${nth}`} d={barsPath(values, top)} />
        ))}
      </svg>
      <p class="hint day-plot-days">
        <span>{shownDay(days[0], request.locale)}</span>
        <span>{shownDay(days.at(-1), request.locale)}</span>
      </p>
      <details>
        <summary>{t('overview.numbers')}</summary>
        <table class="rows figures">
          <caption class="hint">{title}</caption>
          <thead>
            <tr>
              <th scope="col">{t('overview.day')}</th>
              {series.map(({ name }) => (
                <th key={name} scope="col" class="number">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map((day, index) => (
              <tr key={day}>
                <th scope="row">{shownDay(day, request.locale)}</th>
                {series.map(({ name, values }) => (
                  <td key={name} class="number">
                    {show(values[index] ?? 0)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
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
