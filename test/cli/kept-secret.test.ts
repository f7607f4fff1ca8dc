import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keepSecret } from '../../cli/kept-secret.ts';

const owner = { apiUrl: 'http://localhost:8080', apiKey: 'sk_test_1' };
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tollgate-kept-'));
});
afterAll(async () => rm(folder, { recursive: true }));

describe('keepSecret', () => {
  it('keeps one secret for each key and API', () => {
    const kept = keepSecret(folder, owner);
    expect(keepSecret(folder, owner)).toEqual(kept);
    const others = [
      keepSecret(folder, { ...owner, apiKey: 'sk_test_2' }),
      keepSecret(folder, { ...owner, apiUrl: 'http://localhost:8081' }),
    ];
    expect(new Set([kept, ...others].map(({ secret }) => secret)).size).toBe(3);
  });

  it('returns a secret for this start, and the reason, if the file cannot be written', async () => {
    const file = path.join(folder, 'file');
    await writeFile(file, '');
    const { secret, place } = keepSecret(path.join(file, 'state'), owner);
    expect(secret).toMatch(/^whsec_/);
    expect(place).toMatch(/^only until it stops: E/);
  });

  it('refuses a file with something else, and leaves it', async () => {
    const other = path.join(folder, 'other');
    keepSecret(other, owner);
    const [name = ''] = await readdir(other);
    await writeFile(path.join(other, name), 'hello');
    expect(() => keepSecret(other, owner)).toThrow(`${name} has no signing secret. Delete it`);
  });
});
