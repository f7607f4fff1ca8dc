/** The figures of a run, and their tables in docs/benchmarks.md. */

/** What is done as fast as possible, 16 at a time. Names are those of the table. */
export interface Rate {
  readonly name: string;
  /** The median of the rounds' ratios: Tollgate's rate by the floor's. */
  readonly ratio: number;
  readonly lowest: number;
  readonly highest: number;
  readonly perSecond: number;
  readonly floorPerSecond: number;
}

export interface Latency {
  readonly name: string;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly floorP50Ms: number;
  readonly floorP99Ms: number;
}

export interface Report {
  readonly machine: string;
  readonly rounds: number;
  readonly payments: number;
  readonly rates: readonly Rate[];
  readonly latencies: readonly Latency[];
  /** Processor time for each payment by program and process, in ms. */
  readonly cpuMs: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

function table(heads: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const align = heads.map((_, index) => (index === 0 ? '---' : '--:'));
  return [row(heads), row(align), ...rows.map(row)].join('\n');
}

/** Returns the Markdown of a run's figures, whose cells are not aligned. */
export function tables({ machine, rounds, payments, rates, latencies, cpuMs }: Report): string {
  const heads = ['What', 'Of the floor', 'Lowest round', 'Highest', 'A second', 'The floor'];
  const rateRows = rates.map((one) => [
    one.name,
    ...[one.ratio, one.lowest, one.highest].map((ratio) => ratio.toFixed(2)),
    Math.round(one.perSecond),
    Math.round(one.floorPerSecond),
  ]);
  const latencyRows = latencies.map((one) => [
    one.name,
    ...[one.p50Ms, one.p99Ms, one.floorP50Ms, one.floorP99Ms].map(Math.round),
    (one.p99Ms / one.floorP99Ms).toFixed(2),
  ]);
  const processes = Object.keys(Object.values(cpuMs)[0] ?? {});
  const cpuRows = Object.entries(cpuMs).map(([name, ms]) => [
    name,
    ...processes.map((each) => Math.round(ms[each] ?? 0)),
  ]);
  return [
    `${machine}. ${rounds} rounds of ${payments} payments:`,
    table(heads, rateRows),
    'Times, in ms:',
    table(['What', 'p50', 'p99', 'Floor p50', 'Floor p99', 'p99 of the floor'], latencyRows),
    'Processor time for each completed payment, with its creation and one retrieval, in ms:',
    table(['Program', ...processes], cpuRows),
  ].join('\n\n');
}
