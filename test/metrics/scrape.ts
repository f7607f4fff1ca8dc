/** Reads the text format of Prometheus. */

export type Series = ReadonlyMap<string, number>;

/** Returns the value of each series by its name and labels, as in `up{job="x"}`. */
export function parseMetrics(text: string): Series {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

/** Returns the metrics at a port. Throws if the response is not 200. */
export async function scrape(port: number): Promise<Series> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
  return parseMetrics(text);
}

/** Returns the names of all series, without labels. */
export const namesOf = (series: Series): Set<string> =>
  new Set([...series.keys()].map((key) => key.replace(/\{.*/, '')));

/** Returns the series of one name. */
export const seriesOf = (series: Series, name: string): Series =>
  new Map([...series].filter(([key]) => key === name || key.startsWith(`${name}{`)));

/** Returns the sum of all series of one name. */
export const sumOf = (series: Series, name: string): number =>
  [...seriesOf(series, name).values()].reduce((sum, value) => sum + value, 0);
