/** The API over real HTTP on the real database, with a Temporal that settles at once. */
import { readFile } from 'node:fs/promises';
import type http from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { settleRefund } from '../../activities/refund.ts';
import { settlePayment } from '../../activities/settle.ts';
import { sandboxBank } from '../../activities/bank.ts';
import { createApi, refuseFrom } from '../../api/app.ts';
import type { ApiOptions } from '../../api/app.ts';
import type { Mode } from '../../domain/merchant.ts';
import { tenantOf } from '../../domain/merchant.ts';
import type { Payment } from '../../domain/payment.ts';
import type { Message } from '../../domain/verdict.ts';
import { serve } from '../../http/serve.ts';
import type { Service } from '../../http/serve.ts';
import { makeKey } from '../../store/keys.ts';
import { insertMerchant } from '../../store/merchants.ts';
import { mintId } from '../../store/mint.ts';
import type { Mongo } from '../../store/mongo.ts';
import type { Temporal } from '../../temporal/client.ts';
import { HANG_MS } from '../support/merchant.ts';
import { closeAfterTests } from '../support/close.ts';
import { openDatabase } from '../support/mongo.ts';
import { makePayment } from '../support/rows/payment.ts';
import { testServers } from '../support/run.ts';
import { API_URL, requireConformance } from './contract.ts';

export const LINKS = { checkoutUrl: 'https://pay.example' };
export const BANK_TIMEOUT_MS = 900_000;
/** More than any test sends, except those about limits. */
const PLENTY = { perSecond: 100_000, burst: 100_000 };
export const DOCS_PAGE = '<!doctype html><title>Docs</title><style>p{margin:0}</style><p>Docs';
/** Reads the package of the client that the programs of the run have. */
export const readClient = async (): Promise<Buffer> =>
  readFile(`${testServers().programs}/docs/tollgate-sdk.tgz`);
export const NO_LIMITS = { merchant: PLENTY, anonymous: PLENTY, trustedHops: 0 };

export interface Tenant {
  merchantId: string;
  m: string;
  secret: string;
}

/** Inserts a merchant with a key. */
export async function makeTenant(mongo: Mongo, mode: Mode = 'test'): Promise<Tenant> {
  const now = new Date();
  const merchantId = mintId('merchant');
  const { key, secret } = makeKey(merchantId, mode, now);
  const user = {
    _id: mintId('user'),
    merchant_id: merchantId,
    email: `${merchantId}@shop.example`,
    password_hash: '',
    created_at: now,
  };
  const merchant = { _id: merchantId, name: 'Shop', locale: 'hy', created_at: now } as const;
  await insertMerchant(mongo, { merchant, user, key, entries: [] });
  return { merchantId, m: tenantOf(merchantId, mode), secret };
}

export interface RecordingTemporal extends Temporal {
  /** Payments and refunds whose workflow was started. */
  readonly started: string[];
  /** Deliveries whose next attempt was to be made at once. */
  readonly hastened: string[];
  readonly asked: { payment: Payment; message: Message; id: string }[];
  /** The error that the next `askPayment` throws. */
  fault: Error | undefined;
  /** Settles the refund at `now`, as its workflow would. */
  settleRefund(id: string, now?: Date): Promise<void>;
}

const doNothing = async (): Promise<void> => undefined;

/** Creates a client that records its calls, and settles by the real activity without a server. */
export function recordingTemporal(mongo: Mongo): RecordingTemporal {
  const deps = {
    mongo,
    temporal: { startDelivery: doNothing },
    bank: sandboxBank(mongo),
    links: LINKS,
    bankTimeoutMs: BANK_TIMEOUT_MS,
  };
  const self: RecordingTemporal = {
    started: [],
    hastened: [],
    asked: [],
    fault: undefined,
    async startPayment({ _id }) {
      self.started.push(_id);
    },
    async wakePayment() {},
    resumePayment: async () => true,
    async startRefund({ _id }) {
      self.started.push(_id);
    },
    resumeRefund: async () => true,
    async resumeReplay() {},
    async settleRefund(id, now = new Date()) {
      await settleRefund(deps, { refund_id: id, now_ms: now.getTime() });
    },
    async askPayment(payment, message, id) {
      self.asked.push({ payment, message, id });
      const { fault } = self;
      self.fault = undefined;
      if (fault) throw fault;
      return settlePayment(deps, { payment_id: payment._id, message, now_ms: Date.now() });
    },
    startDelivery: doNothing,
    async hastenDelivery(id) {
      self.hastened.push(id);
    },
    async prepare() {},
    async isReady() {
      return true;
    },
    async close() {},
  };
  return self;
}

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  // Tests read nested values, and their assertions check the types.
  // oxlint-disable-next-line typescript/no-explicit-any
  json: any;
}

export interface Sent {
  body?: unknown;
  /** Sent unchanged, instead of `body`. */
  raw?: string | Uint8Array;
  key?: string;
  headers?: Record<string, string>;
}

export interface RunningApi {
  readonly url: string;
  readonly port: number;
  send(method: string, path: string, sent?: Sent): Promise<Reply>;
  as(tenant: Pick<Tenant, 'secret'>): RunningApi;
  close(): Promise<void>;
}

/** Serves an API on a free port. `send` uses the tenant's key. */
export async function serveApi(
  tenant: Pick<Tenant, 'secret'>,
  options: Partial<ApiOptions> & Pick<ApiOptions, 'mongo' | 'temporal'>,
  service: Pick<Service, 'options' | 'bounds'> = {},
): Promise<RunningApi> {
  const app = createApi({
    log: pino({ level: 'silent' }),
    links: LINKS,
    apiUrl: API_URL,
    bankTimeoutMs: BANK_TIMEOUT_MS,
    lifetime: { minMs: 300_000 },
    limits: NO_LIMITS,
    // A busy machine may stall for seconds. test/api/failures.test.ts tests the limit itself.
    workMs: HANG_MS,
    docs: [{ path: '/docs', type: 'text/html; charset=utf-8', text: DOCS_PAGE }],
    readClient,
    requestLog: { note: () => undefined },
    ...options,
  });
  const refuse = refuseFrom(API_URL);
  const { server: listening } = serve({ handle: app.callback(), refuse, ...service });
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const { port } = listening.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return clientOf({ url, port, listening, secret: tenant.secret });
}

function clientOf(at: {
  url: string;
  port: number;
  listening: http.Server;
  secret: string;
}): RunningApi {
  return {
    url: at.url,
    port: at.port,
    async send(method, path, { body, raw, key, headers = {} } = {}) {
      const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
      const response = await fetch(at.url + path, {
        method,
        ...(payload === undefined ? {} : { body: payload as BodyInit, duplex: 'half' }),
        headers: {
          Authorization: `Bearer ${at.secret}`,
          ...(payload === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...(key === undefined ? {} : { 'Idempotency-Key': key }),
          ...headers,
        },
      });
      const text = await response.text();
      const { status, headers: received } = response;
      requireConformance(method, path, { status, headers: received, text });
      const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
      const json: unknown = isJson ? JSON.parse(text) : undefined;
      return { status, headers: received, text, json };
    },
    as: (tenant) => clientOf({ ...at, secret: tenant.secret }),
    async close() {
      at.listening.closeAllConnections();
      await new Promise((resolve) => at.listening.close(resolve));
    },
  };
}

/** The smallest body of a payment. */
export const PAYMENT = {
  amount: 12_500,
  currency: 'AMD',
  return_url: 'https://shop.example/thanks',
} as const;

/** An API with its database, shared by the tests of a file. */
export interface Stand {
  mongo: Mongo;
  temporal: RecordingTemporal;
  tenant: Tenant;
  api: RunningApi;
}

/** Serves the API on a database of its own, until the calling file's tests are done. */
export async function openStand(file: string): Promise<Stand> {
  const mongo = closeAfterTests(await openDatabase(file));
  const temporal = recordingTemporal(mongo);
  const tenant = await makeTenant(mongo);
  return {
    mongo,
    temporal,
    tenant,
    api: closeAfterTests(await serveApi(tenant, { mongo, temporal })),
  };
}

/** Inserts a payment of the tenant. */
export async function putPayment(
  { mongo, tenant }: Pick<Stand, 'mongo' | 'tenant'>,
  overrides: Partial<Payment> = {},
): Promise<Payment> {
  const row = makePayment({ merchant_id: tenant.merchantId, m: tenant.m, ...overrides });
  await mongo.payments.insertOne(row);
  return row;
}
