import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseRanges } from '../../outbound/address.ts';
import { ensureDemo, prepareDemo } from '../../cli/demo.ts';
import { hashOfKey } from '../../store/keys.ts';
import { useDatabase } from '../store/database.ts';
import { ACTOR, entriesAbout } from '../support/audit.ts';
import { sealer } from '../support/rows/endpoint.ts';
import { tenantOf } from '../../domain/merchant.ts';

type Row = Record<string, string>;

const PORTS = {
  api: 8080,
  checkout: 8081,
  dashboard: 8082,
  demo: 8083,
  temporalUi: 8233,
  workerHealth: undefined,
  metrics: undefined,
};

const database = await useDatabase('demo');

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'tollgate-demo-'));
});
afterEach(async () => rm(dataDir, { recursive: true }));

async function ensure(port = 8083) {
  const { mongo } = database;
  const services = { mongo, actor: ACTOR, sealer, opened: parseRanges(['127.0.0.1/32']) };
  const shopUrl = `http://127.0.0.1:${port}`;
  const options = { dataDir, shopUrl, apiUrl: 'http://127.0.0.1:8080', port };
  const demo = await ensureDemo(services, options);
  const config = JSON.parse(await readFile(demo.configFile, 'utf8')) as Record<string, string>;
  return { demo, config };
}

describe('ensureDemo', () => {
  it('makes a merchant with a key and an endpoint that belong together', async () => {
    const { demo, config } = await ensure();
    const key = await database.mongo.keys.findOne({
      hash: hashOfKey(config['api_key'] ?? '') ?? '',
    });
    const tenant = tenantOf(key?.merchant_id ?? '', 'test');
    const endpoints = await database.mongo.endpoints.find({ m: tenant }).toArray();
    expect(endpoints.map(({ url }) => url)).toEqual(['http://127.0.0.1:8083/webhooks']);
    const [endpoint] = endpoints;
    const secret = sealer.unseal(endpoint?.secret ?? '', endpoint?._id ?? '');
    expect(config).toMatchObject({ webhook_secret: secret, email: demo.email, port: 8083 });
    expect(demo.fresh).toMatchObject({ apiKey: config['api_key'] });
  });

  it('makes it once: a second call only changes the addresses, and shows no secret', async () => {
    const first = await ensure(8083);
    const second = await ensure(8093);
    expect(second.demo).toEqual({ ...first.demo, fresh: null });
    const addresses = { port: 8093, shop_url: 'http://127.0.0.1:8093' };
    expect(second.config).toEqual({ ...first.config, ...addresses });
    const endpoint = await database.mongo.endpoints.findOne({
      _id: String(first.config['endpoint_id']),
    });
    expect(endpoint?.url).toBe('http://127.0.0.1:8093/webhooks');
    await ensure(8093);
    expect(await entriesAbout(database.mongo, endpoint?._id)).toMatchObject([
      { action: 'endpoint.create' },
      { action: 'endpoint.update', after: { url: 'http://127.0.0.1:8093/webhooks' } },
    ]);
  });

  it('writes a private file and leaves no temporary one', async () => {
    const { demo } = await ensure();
    expect((await stat(demo.configFile)).mode & 0o777).toBe(0o600);
    expect(await readdir(dataDir)).toEqual(['demo.json']);
  });
});

describe('prepareDemo', () => {
  it('registers another address for webhooks than the shop has, and shows the login once', async () => {
    const services = {
      mongo: database.mongo,
      actor: ACTOR,
      sealer,
      opened: parseRanges(['172.31.83.10/32']),
      config: { dataDir, ports: PORTS },
    };
    const urls = {
      shopUrl: 'https://shop.example',
      receiverUrl: 'http://172.31.83.10:8083/webhooks',
      apiUrl: 'http://server:8080',
    };
    const first = await prepareDemo(services, urls);
    expect(first).toMatchObject({ password: expect.any(String) });
    const second = await prepareDemo(services, urls);
    expect(second).toEqual({ email: first['email'], config_file: path.join(dataDir, 'demo.json') });
    const saved = JSON.parse(await readFile(path.join(dataDir, 'demo.json'), 'utf8')) as Row;
    expect(saved).toMatchObject({
      host: '0.0.0.0',
      port: 8083,
      shop_url: 'https://shop.example',
      api_url: 'http://server:8080',
    });
    const endpoint = await database.mongo.endpoints.findOne({ _id: saved['endpoint_id'] ?? '' });
    expect(endpoint?.url).toBe('http://172.31.83.10:8083/webhooks');
  });
});
