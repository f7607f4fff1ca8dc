import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../../dashboard');

/** Returns the keys of every file of texts, which `dashboard/text.ts` joins. */
async function keysOfAll(): Promise<string[]> {
  const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('texts.ts'),
  );
  const all = files.map(async (file) => {
    const texts = (await import(path.join(ROOT, file))) as Record<string, object>;
    return Object.values(texts).flatMap(Object.keys);
  });
  return (await Promise.all(all)).flat();
}

describe('the texts of the dashboard', () => {
  it('have each key only once, because a second text would replace the first', async () => {
    const keys = await keysOfAll();
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });
});
