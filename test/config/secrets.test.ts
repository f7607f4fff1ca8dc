import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SECRETS, readSecrets } from '../../config/secrets.ts';
import { inConfig } from './inconfig.ts';
import type { Variables } from './inconfig.ts';

const KEY_HEX = '0a'.repeat(32);
const OTHER_HEX = '0b'.repeat(32);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tollgate-secrets-'));
});
afterAll(async () => rm(folder, { recursive: true }));

async function fileWith(name: string, text: string): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, text);
  return file;
}

/** The form of a key in the result of `evaluate`. */
const key = (each: number) => ({ type: 'Buffer', data: [...Buffer.alloc(32, each)] });

const evaluate = async (expression: string, env: Variables) => inConfig(expression, env, folder);

describe('readSecrets', () => {
  it.each(SECRETS)('reads %s from a file, without the end of its line', async (name) => {
    const file = await fileWith(name, ' a secret, of two\nlines \r\n\n');
    const { variables, faults } = readSecrets({ [`${name}_FILE`]: file, OTHER: 'kept' });
    expect(variables).toMatchObject({ [name]: ' a secret, of two\nlines', OTHER: 'kept' });
    expect(faults).toEqual({});
  });

  it('leaves a variable without a file as it is', () => {
    const given = { ENCRYPTION_KEY: 'given', API_PORT: '1', API_PORT_FILE: 'not read' };
    expect(readSecrets(given)).toEqual({ variables: given, faults: {} });
  });

  it.each([
    ['does not exist', 'missing', {}],
    ['is a folder', 'folder', {}],
    ['is empty', 'empty', {}],
    ['is too long for a secret', 'long', {}],
    ['MONGODB_URI is set too; unset one of them', 'good', { MONGODB_URI: 'mongodb://db' }],
  ])('reports a file that %s', async (reason, name, others) => {
    await mkdir(path.join(folder, 'folder'), { recursive: true });
    await fileWith('empty', '\n');
    await fileWith('long', 'a'.repeat(64 * 1024 + 1));
    await fileWith('good', 'mongodb://db');
    const file = path.join(folder, name);
    const { variables, faults } = readSecrets({ ...others, MONGODB_URI_FILE: file });
    expect(faults).toMatchObject({
      MONGODB_URI_FILE: { message: expect.stringMatching(new RegExp(`${reason}$`)) },
    });
    expect(variables).toMatchObject(others);
  });
});

describe('the configuration', () => {
  it('has the secrets of files', async () => {
    const env = {
      ENCRYPTION_KEY_FILE: await fileWith('key', `${KEY_HEX}\n`),
      ENCRYPTION_KEY_PREVIOUS_FILE: await fileWith('previous', `${OTHER_HEX}\n`),
      MONGODB_URI_FILE: await fileWith('uri', 'mongodb://db/shop\n'),
      TEMPORAL_API_KEY_FILE: await fileWith('temporal', 'temporal-key\n'),
      TOLLGATE_API_KEY_FILE: await fileWith('api', 'sk_test_1\n'),
    };
    expect(await evaluate('c.requireServices(c.readConfig())', env)).toEqual({
      mongoUri: 'mongodb://db/shop',
      keys: { current: key(10), previous: [key(11)] },
    });
    expect(await evaluate('c.readTemporal().connectionOptions', env)).toMatchObject({
      apiKey: 'temporal-key',
    });
    expect(await evaluate('c.readAccess()', env)).toMatchObject({ apiKey: 'sk_test_1' });
  });

  it('reports the faults of files with all others, and never a secret', async () => {
    const file = await fileWith('wrong', 'nearly-a-secret');
    const env = {
      API_PORT: 'http',
      ENCRYPTION_KEY_FILE: file,
      MONGODB_URI_FILE: path.join(folder, 'nothing'),
    };
    const [name, message] = (await evaluate('c.readConfig()', env)) as [string, string];
    expect(name).toBe('ConfigError');
    expect(message.split('\n').map((line) => line.replace(/:.*/, ''))).toEqual([
      'API_PORT',
      'ENCRYPTION_KEY',
      'MONGODB_URI_FILE',
    ]);
    expect(message).not.toContain('nearly-a-secret');
  });

  it('passes on to the programs of npm start no file whose secret it sets', async () => {
    const env = { ENCRYPTION_KEY_FILE: 'a', MONGODB_URI_FILE: 'b', TEMPORAL_API_KEY_FILE: 'c' };
    expect(await evaluate('c.childEnvironment({ MONGODB_URI: "mongodb://db" })', env)).toEqual({
      PATH: expect.any(String),
      MONGODB_URI: 'mongodb://db',
      TEMPORAL_API_KEY_FILE: 'c',
    });
  });
});
