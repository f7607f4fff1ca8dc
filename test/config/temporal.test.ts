/** The variables of the connection to Temporal, and what is refused about them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { temporalFaults } from '../../config/temporal.ts';
import { makeAuthority, makeCertificate } from '../outbound/certificate.ts';
import { inConfig } from './inconfig.ts';
import type { Variables } from './inconfig.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-temporal-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileWith(name: string, text: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}

const authority = makeAuthority();
const { cert, key } = makeCertificate('tollgate', authority);
const CERT = fileWith('cert.pem', cert);
const KEY = fileWith('key.pem', key);
const CA = fileWith('ca.pem', authority.pem);
const OTHER_KEY = fileWith('other.pem', makeCertificate('tollgate').key);

const TLS = 'TEMPORAL_TLS_';
const client = { [`${TLS}CLIENT_CERT_PATH`]: CERT, [`${TLS}CLIENT_KEY_PATH`]: KEY };
const cloud = { TEMPORAL_ADDRESS: 'shop.a1b2c.tmprl.cloud:7233', TEMPORAL_NAMESPACE: 'shop.a1b2c' };

const faultsOf = (variables: Variables) =>
  Object.fromEntries(
    Object.entries(temporalFaults(variables)).map(([name, fault]) => [name, fault?.message]),
  );

describe('temporalFaults', () => {
  it.each<[string, Variables]>([
    ['a plain address', { TEMPORAL_ADDRESS: 'temporal:7233' }],
    ['nothing at all', {}],
    ['a client certificate', { ...client, [`${TLS}SERVER_CA_CERT_PATH`]: CA }],
    [
      'certificates in variables',
      { [`${TLS}CLIENT_CERT_DATA`]: cert, [`${TLS}CLIENT_KEY_DATA`]: key },
    ],
    ['Temporal Cloud with an API key', { ...cloud, TEMPORAL_API_KEY: 'key' }],
    ['Temporal Cloud with a certificate', { ...cloud, ...client }],
    [
      'an API key without TLS on this machine',
      { TEMPORAL_ADDRESS: '127.0.0.1:7233', TEMPORAL_TLS: 'false', TEMPORAL_API_KEY: 'key' },
    ],
  ])('accepts %s', (_, variables) => {
    expect(faultsOf(variables)).toEqual({});
  });

  it.each<[string, RegExp, Variables]>([
    ['TEMPORAL_ADDRESS', /without a scheme/, { TEMPORAL_ADDRESS: 'https://temporal:7233' }],
    ['TEMPORAL_TLS', /must be true or false/, { TEMPORAL_TLS: 'yes' }],
    [
      'TEMPORAL_TLS',
      /but TEMPORAL_TLS_SERVER_NAME is set/,
      { TEMPORAL_TLS: 'false', [`${TLS}SERVER_NAME`]: 'temporal' },
    ],
    [
      'TEMPORAL_TLS',
      /sent unencrypted/,
      { TEMPORAL_ADDRESS: 'temporal:7233', TEMPORAL_TLS: '0', TEMPORAL_API_KEY: 'key' },
    ],
    ['TEMPORAL_API_KEY', /one line/, { TEMPORAL_API_KEY: 'two\nlines' }],
    ['TEMPORAL_API_KEY', /Temporal Cloud needs one/, cloud],
    [
      'TEMPORAL_NAMESPACE',
      /name\.account/,
      { ...cloud, TEMPORAL_NAMESPACE: 'shop', TEMPORAL_API_KEY: 'key' },
    ],
    [
      `${TLS}DISABLE_HOST_VERIFICATION`,
      /SERVER_NAME/,
      { [`${TLS}DISABLE_HOST_VERIFICATION`]: 'true' },
    ],
    [`${TLS}CLIENT_CERT_PATH`, /needs .*CLIENT_KEY_PATH/, { [`${TLS}CLIENT_CERT_PATH`]: CERT }],
    [`${TLS}CLIENT_KEY_PATH`, /needs .*CLIENT_CERT_PATH/, { [`${TLS}CLIENT_KEY_PATH`]: KEY }],
    [
      `${TLS}CLIENT_KEY_PATH`,
      /not the private key of/,
      { ...client, [`${TLS}CLIENT_KEY_PATH`]: OTHER_KEY },
    ],
    [
      `${TLS}CLIENT_KEY_PATH`,
      /cert\.pem is not a private key/,
      { ...client, [`${TLS}CLIENT_KEY_PATH`]: CERT },
    ],
    [
      `${TLS}CLIENT_CERT_DATA`,
      /unset one of them/,
      { ...client, [`${TLS}CLIENT_CERT_DATA`]: cert },
    ],
    [
      `${TLS}SERVER_CA_CERT_PATH`,
      /cannot be read \(ENOENT\)/,
      { [`${TLS}SERVER_CA_CERT_PATH`]: path.join(folder, 'missing') },
    ],
    [
      `${TLS}SERVER_CA_CERT_PATH`,
      /key\.pem is not a certificate/,
      { [`${TLS}SERVER_CA_CERT_PATH`]: KEY },
    ],
  ])('refuses %s with %s: %o', (name, words, variables) => {
    expect(faultsOf(variables)).toEqual({ [name]: expect.stringMatching(words) });
  });
});

describe('readTemporal', () => {
  it('names every fault, and no secret', async () => {
    const env = { TEMPORAL_TLS: 'yes', TEMPORAL_API_KEY: 'se cret' };
    const shown = await inConfig('c.readTemporal()', env, folder);
    expect(shown).toEqual([
      'ConfigError',
      expect.stringMatching(/TEMPORAL_TLS: .*\n|TEMPORAL_API_KEY: /),
    ]);
    expect(JSON.stringify(shown)).not.toContain('se cret');
  });

  it('names a profile file that cannot be used', async () => {
    const file = fileWith('temporal.toml', '[profile.default]\naddress = ');
    const shown = await inConfig('c.readTemporal()', { TEMPORAL_CONFIG_FILE: file }, folder);
    expect(shown).toEqual(['ConfigError', expect.stringMatching(/^TEMPORAL_CONFIG_FILE: /)]);
  });
});
