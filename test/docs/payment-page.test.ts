/** The inventory of the payment page in words. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeInventory } from '../../verify/inventory.ts';

const FILE = path.join(import.meta.dirname, '..', '..', 'docs', 'payment-page.md');

describe('docs/payment-page.md', () => {
  it('has every file that pages may load, with its reason, and no other', () => {
    const rows = readFileSync(FILE, 'utf8').matchAll(/^\| `([\w-]+\.\w+)` +\| (.+?) +\|$/gm);
    const documented = Array.from(rows, ([, name, reason]) => ({ name, reason }));
    expect(documented).toEqual(makeInventory('').map(({ name, reason }) => ({ name, reason })));
  });
});
