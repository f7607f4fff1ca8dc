/** A dashboard on a free port, with a real MongoDB, and browsers that keep cookies. */
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { createDashboard } from '../../dashboard/app.ts';
import { tenantOf } from '../../domain/merchant.ts';
import type { Actor } from '../../domain/audit.ts';
import type { Merchant } from '../../domain/merchant.ts';
import type { Role, User } from '../../domain/user.ts';
import { refusePlainly } from '../../http/refuse.ts';
import { serve } from '../../http/serve.ts';
import { createMerchant } from '../../operations/merchant.ts';
import { hashPassword } from '../../operations/team.ts';
import { mintId } from '../../store/mint.ts';
import type { Mongo, MongoOptions } from '../../store/mongo.ts';
import { makeSealer } from '../../store/seal.ts';
import type { Sealer } from '../../store/seal.ts';
import { parseRanges } from '../../outbound/address.ts';
import { makeOutbound } from '../../outbound/post.ts';
import { recordingTemporal } from '../api/harness.ts';
import type { RecordingTemporal } from '../api/harness.ts';
import { closeAfterTests } from '../support/close.ts';
import { openDatabase } from '../support/mongo.ts';
import { freePort } from '../support/port.ts';

export const PASSWORD = 'correct horse battery';
const ACTOR: Actor = { type: 'operator', name: 'test' };
const PLENTY = { perSecond: 100_000, burst: 100_000 };
export const NO_LIMITS = { anonymous: PLENTY, merchant: PLENTY, trustedHops: 0 };

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** Where a redirect leads; null without one. */
  readonly to: string | null;
}

/** A browser without scripts. It keeps cookies, and adds the Origin and the token of its forms. */
export interface Browser {
  get(path: string, headers?: Record<string, string>): Promise<Reply>;
  post(
    path: string,
    /** The fields; one with several values, such as checked boxes, has a list. */
    form?: Record<string, string | readonly string[]>,
    headers?: Record<string, string>,
  ): Promise<Reply>;
  /** The cookies by name. */
  readonly cookies: Map<string, string>;
}

export interface Ground {
  readonly mongo: Mongo;
  /** The operator, for operations of the command line. */
  readonly actor: Actor;
  readonly sealer: Sealer;
  readonly temporal: RecordingTemporal;
  readonly url: string;
  readonly merchant: Merchant;
  readonly tenant: string;
  readonly apiKey: string;
  /** Returns a new browser, in which nobody is signed in. */
  browse(): Browser;
  /** Creates a user of that role, and returns a browser in which the user is signed in. */
  signIn(role: Role, merchantId?: string): Promise<Browser & { user: User }>;
  /** Creates another merchant. Returns its id. */
  addMerchant(): Promise<string>;
  close(): Promise<void>;
}

/** Serves the dashboard with one merchant. `options` are those of the app and the database, and
 * the host by which browsers reach it. */
export async function openGround(
  file: string,
  {
    host = '127.0.0.1',
    monitor,
    ...options
  }: Partial<Parameters<typeof createDashboard>[0]> &
    Pick<MongoOptions, 'monitor'> & { host?: string } = {},
): Promise<Ground> {
  const mongo = closeAfterTests(await openDatabase(file, monitor ? { monitor } : {}));
  const temporal = recordingTemporal(mongo);
  const port = await freePort();
  const url = `http://${host}:${port}`;
  const key = randomBytes(32);
  const sealer = makeSealer(key);
  const opened = parseRanges(['127.0.0.1/32']);
  const app = createDashboard({
    mongo,
    temporal,
    log: pino({ level: 'silent' }),
    links: { checkoutUrl: 'https://pay.example' },
    apiUrl: 'https://api.example',
    ownUrl: url,
    bankTimeoutMs: 900_000,
    lifetime: { minMs: 300_000 },
    retentionDays: 90,
    limits: NO_LIMITS,
    sealer,
    opened,
    outbound: closeAfterTests(makeOutbound({ opened, timeoutMs: 15_000 })),
    signingKeys: { current: key, previous: [] },
    ...options,
  });
  const { server } = serve({ handle: app.callback(), refuse: refusePlainly });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const hash = await hashPassword(PASSWORD);
  const add = async () => {
    const email = `${randomBytes(6).toString('hex')}@shop.example`;
    return createMerchant({ mongo, actor: ACTOR }, { name: 'Tea house', email, locale: 'hy' });
  };
  const made = await add();
  const merchant = (await mongo.merchants.findOne({ _id: made.merchant_id }))!;
  const browse = (): Browser => makeBrowser(url);
  const ground: Ground = {
    mongo,
    actor: ACTOR,
    sealer,
    temporal,
    url,
    merchant,
    tenant: tenantOf(merchant._id, 'test'),
    apiKey: made.test_api_key,
    browse,
    async signIn(role, merchantId = merchant._id) {
      const user: User = {
        _id: mintId('user'),
        merchant_id: merchantId,
        email: `${role}-${randomBytes(6).toString('hex')}@shop.example`,
        password_hash: hash,
        role,
        created_at: new Date(),
      };
      await mongo.users.insertOne(user);
      const browser = browse();
      const reply = await browser.post('/sign-in', { email: user.email, password: PASSWORD });
      if (reply.status !== 303) throw new Error(`Signing in returned ${reply.status}.`);
      return Object.assign(browser, { user });
    },
    addMerchant: async () => (await add()).merchant_id,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return closeAfterTests(ground);
}

export function makeBrowser(url: string): Browser {
  const cookies = new Map<string, string>();
  /** The token that the forms of the last page had. */
  let csrf = '';

  async function send(
    path: string,
    init: { method?: string; body?: URLSearchParams; headers?: Record<string, string> },
  ): Promise<Reply> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(cookie && { Cookie: cookie }), ...init.headers };
    const response = await fetch(url + path, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const html = await response.text();
    csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? csrf;
    return {
      status: response.status,
      headers: response.headers,
      html,
      to: response.headers.get('location'),
    };
  }

  return {
    cookies,
    get: async (path, headers = {}) => send(path, { headers }),
    async post(path, form = {}, headers = {}) {
      if (csrf === '' && cookies.size > 0) await send('/account', {});
      const fields = Object.entries<string | readonly string[]>({ csrf, ...form });
      const pairs = fields.flatMap(([name, values]) =>
        [values].flat().map((value) => [name, value]),
      );
      const body = new URLSearchParams(pairs);
      return send(path, { method: 'POST', body, headers: { Origin: url, ...headers } });
    },
  };
}
