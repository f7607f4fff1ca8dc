/** docs/benchmarks.md has the figures of the last `npm run bench -- --write`. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import figures from '../../bench/speed/report.json' with { type: 'json' };
import { tables } from '../../bench/speed/report.ts';

/** Leaves out how Prettier aligns and wraps. */
const plain = (text: string): string => text.replace(/\s+/g, ' ').replace(/-+/g, '-');

it('the page of figures has those of the last run', async () => {
  const page = path.join(import.meta.dirname, '..', '..', 'docs', 'benchmarks.md');
  expect(plain(await readFile(page, 'utf8'))).toContain(plain(tables(figures)));
});
