/** Creates metrics whose labels have listed values only, so the number of series is bounded. */
import { Counter, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';

/** The value of a label in place of one that is not listed. */
export const OTHER = 'other';

interface Named {
  readonly registry: Registry;
  readonly name: string;
  readonly help: string;
}

type Labels<Label extends string> = Readonly<Record<Label, string>>;
/** The listed values of each label. */
type Values<Label extends string> = Readonly<Record<Label, readonly string[]>>;

/** Creates a counter. All its series exist from the start, so that rates include the first fact. */
export function makeCounter<Label extends string>(
  { registry, name, help }: Named,
  values: Values<Label>,
): (labels: Labels<Label>, by?: number) => void {
  const labelNames = Object.keys(values) as Label[];
  const counter = new Counter({ name, help, labelNames, registers: [registry] });
  for (const labels of combinationsOf(values)) counter.inc(labels, 0);
  const bound = makeBound(values);
  return (labels, by = 1) => counter.inc(bound(labels), by);
}

/** Creates a histogram of seconds, with series for those labels that occur. */
export function makeHistogram<Label extends string>(
  { registry, name, help }: Named,
  values: Values<Label>,
  buckets: readonly number[],
): (labels: Labels<Label>, ms: number) => void {
  const labelNames = Object.keys(values) as Label[];
  const all = { name, help, labelNames, buckets: [...buckets], registers: [registry] };
  const histogram = new Histogram(all);
  const bound = makeBound(values);
  return (labels, ms) => histogram.observe(bound(labels), Math.max(ms, 0) / 1_000);
}

/** Returns a function that replaces values that are not listed. */
function makeBound<Label extends string>(values: Values<Label>) {
  const listed = Object.entries<readonly string[]>(values).map(
    ([label, list]) => [label as Label, new Set(list)] as const,
  );
  return (labels: Labels<Label>): Record<Label, string> =>
    Object.fromEntries(
      listed.map(([label, known]) => [label, known.has(labels[label]) ? labels[label] : OTHER]),
    ) as Record<Label, string>;
}

/** Returns every combination of the listed values. */
function combinationsOf<Label extends string>(values: Values<Label>): Record<Label, string>[] {
  let all: Record<string, string>[] = [{}];
  for (const [label, list] of Object.entries<readonly string[]>(values)) {
    all = all.flatMap((known) => list.map((value) => ({ ...known, [label]: value })));
  }
  return all;
}
