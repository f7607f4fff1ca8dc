import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { VERSION } from '../../sdk/index.ts';
import { COMMAND, generateObjects } from './generate.ts';

const sdk = path.resolve(import.meta.dirname, '../../sdk');
const read = (name: string) => readFileSync(path.join(sdk, name), 'utf8');

describe('sdk/objects/', () => {
  it('has the types that are generated from the schemas of the API', async () => {
    const files = await generateObjects();
    const stale = [...files].filter(([name, text]) => read(`objects/${name}`) !== text);
    const faults = stale.map(([name]) => `sdk/objects/${name} is out of date: run ${COMMAND}`);
    expect(faults).toEqual([]);
    expect(readdirSync(path.join(sdk, 'objects')).toSorted()).toEqual([...files.keys()].toSorted());
  });
});

describe('sdk/package.json', () => {
  const own = JSON.parse(read('package.json')) as Record<string, unknown>;
  const root = JSON.parse(read('../package.json')) as Record<string, unknown>;

  it('has the version and license of the service, and needs no other package', () => {
    expect([own['version'], VERSION]).toEqual([root['version'], root['version']]);
    expect(own['license']).toBe(root['license']);
    expect(read('LICENSE')).toBe(read('../LICENSE'));
    for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies']) {
      expect(own).not.toHaveProperty(kind);
    }
  });
});
