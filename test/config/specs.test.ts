/** The files of an installation agree with the variables that the programs read. */
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { SECRETS } from '../../config/secrets.ts';
import { ACCESS_SPECS } from '../../config/access.ts';
import { SPECS } from '../../config/specs.ts';
import { PROJECT } from '../support/servers/programs.ts';
import { inConfig } from './inconfig.ts';

/** The variables that Temporal's own library reads for us. */
const TEMPORAL = [
  'TEMPORAL_ADDRESS',
  'TEMPORAL_NAMESPACE',
  'TEMPORAL_API_KEY',
  'TEMPORAL_TLS',
  'TEMPORAL_TLS_CLIENT_CERT_PATH',
  'TEMPORAL_TLS_CLIENT_KEY_PATH',
  'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
  'TEMPORAL_TLS_SERVER_NAME',
];

/** The variables that OpenTelemetry's SDK reads itself, of those that operators need. */
const OPENTELEMETRY = [
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_SERVICE_NAME',
  'OTEL_RESOURCE_ATTRIBUTES',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
];

const textOf = (name: string): string => readFileSync(path.join(PROJECT, name), 'utf8');

describe('.env.example', () => {
  const lines = [...textOf('.env.example').matchAll(/^# ([A-Z_]+)=(.*)$/gm)];
  const given = lines.map(([, name = '', value = '']): [string, string] => [name, value]);

  it('has every variable once', () => {
    const files = SECRETS.map((name) => `${name}_FILE`);
    const libraries = [...TEMPORAL, ...OPENTELEMETRY];
    const all = [...Object.keys(SPECS), ...Object.keys(ACCESS_SPECS), ...libraries, ...files];
    expect(given.map(([name]) => name).toSorted()).toEqual(all.toSorted());
  });

  it('sets nothing when it is copied as it is', () => {
    expect(textOf('.env.example')).not.toMatch(/^[^#\n]/m);
  });

  it('shows the defaults', async () => {
    // A limit that somebody has set is kept, even if it has the value of the default.
    const read = `(({ limitsByHand, ...config }) =>
      [config, c.readAccess(), c.readTemporal()])(c.readConfig())`;
    const shown = await inConfig(read, Object.fromEntries(given), tmpdir());
    expect(shown).toEqual(await inConfig(read, {}, tmpdir()));
    expect(given.filter(([, value]) => value !== '').length).toBeGreaterThan(20);
  });
});

describe('docker-compose.yml', () => {
  /** Variables of `npm start`, and those that the service has a fixed value for. */
  const FIXED = /^(?:(?:API|CHECKOUT|DASHBOARD|DEMO|TEMPORAL_UI|WORKER_HEALTH)_PORT|LISTEN_HOST)$/;
  const LOCAL = /^(?:ALLOW_HTTP_HOSTS|DATA_DIR|CACHE_DIR|DEMO|MONGOD_PATH|TEMPORAL_CLI_PATH)$/;

  it('passes on every variable of servers and workers', () => {
    const text = textOf('docker-compose.yml');
    const wanted = Object.keys(SPECS).filter((name) => !FIXED.test(name) && !LOCAL.test(name));
    const missing = wanted.filter((name) => !new RegExp(`^  ${name}(?:_FILE)?: `, 'm').test(text));
    expect(missing).toEqual([]);
  });

  it('uses one version of every image', () => {
    const images = [...textOf('docker-compose.yml').matchAll(/^ +image: (\S+)$/gm)];
    const names = images.map(([, name = '']) => name).filter((name) => name !== 'tollgate');
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => !/^[\w/-]+:\d+\.\d+[\d.]*$/.test(name))).toEqual([]);
  });
});

describe('Dockerfile', () => {
  it('labels the image with the version of package.json', () => {
    const { version } = JSON.parse(textOf('package.json')) as { version: string };
    expect(textOf('Dockerfile')).toContain(`\nARG VERSION=${version}\n`);
  });
});
