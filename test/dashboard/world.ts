/** The ground of tests over all routes: a row of each kind, users, and raw requests. */
import { csrfOf } from '../../dashboard/cookies.ts';
import type { Route } from '../../dashboard/route.ts';
import { tenantOf } from '../../domain/merchant.ts';
import type { Role, User } from '../../domain/user.ts';
import { startSession } from '../../operations/account.ts';
import { invite } from '../../operations/team.ts';
import { makeKey } from '../../store/keys.ts';
import { mintId, mintToken } from '../../store/mint.ts';
import type { Mongo } from '../../store/mongo.ts';
import { makeEntry } from '../support/audit.ts';
import { makeDelivery, makeEndpoint, makeEvent } from '../support/rows/endpoint.ts';
import { makePayment } from '../support/rows/payment.ts';
import { makeRefund } from '../support/rows/refund.ts';
import { makeReplay } from '../support/rows/replay.ts';
import type { Ground } from './harness.ts';

/** The ids of one object of each kind. */
export type Ids = Readonly<Record<Kind, string>>;

const KINDS = [
  'payment',
  'refund',
  'event',
  'endpoint',
  'delivery',
  'replay',
  'key',
  'user',
  'invite',
  'session',
  'passkey',
  'token',
] as const;
type Kind = (typeof KINDS)[number];
type Unminted = 'invite' | 'session' | 'passkey' | 'token';

/** The kinds of ids after words that do not name them. */
const OTHER_WORDS: Readonly<Record<string, Kind>> = {
  team: 'user',
  webhooks: 'endpoint',
  deliveries: 'delivery',
};

/** Returns the path of a route with ids in place of its parameters. */
export function fill(path: string, ids: Ids): string {
  return path.replaceAll(/(?:(?<=\/([\w-]+)\/)|(?<=\/)):(\w+)/g, (_, before, name) =>
    encodeURIComponent(ids[kindOf(String(before ?? ''), String(name))]),
  );
}

function kindOf(before: string, name: string): Kind {
  const words = [name, before, before.replace(/s$/, '')];
  const known = words.map((word) => KINDS.find((kind) => kind === word) ?? OTHER_WORDS[word]);
  return known.find((kind) => kind !== undefined) ?? 'payment';
}

/** Returns well-formed ids of objects that do not exist. */
export function unknownIds(): Ids {
  const hash = '0'.repeat(64);
  const minted = KINDS.map((kind) => [kind, isMinted(kind) ? mintId(kind) : hash]);
  return { ...Object.fromEntries(minted), token: mintToken() } as Ids;
}

const isMinted = (kind: Kind): kind is Exclude<Kind, Unminted> =>
  !['invite', 'session', 'passkey', 'token'].includes(kind);

/** Returns texts that are no ids. */
export function malformedIds(): Ids {
  return Object.fromEntries(KINDS.map((kind) => [kind, "x'$ne"])) as Ids;
}

/** Inserts one object of each kind for a merchant. */
export async function stock({ mongo, actor }: Ground, merchantId: string): Promise<Ids> {
  const m = tenantOf(merchantId, 'test');
  const payment = makePayment({ merchant_id: merchantId });
  const refund = makeRefund({ m, payment_id: payment._id });
  const endpoint = makeEndpoint({ m });
  const event = makeEvent({ m });
  const delivery = makeDelivery({ m, endpoint_id: endpoint._id, event_id: event._id });
  const replay = makeReplay({ m, endpoint_id: endpoint._id });
  const { key } = makeKey(merchantId, 'test', new Date());
  await mongo.payments.insertOne(payment);
  await mongo.refunds.insertOne(refund);
  await mongo.endpoints.insertOne(endpoint);
  await mongo.events.insertOne(event);
  await mongo.deliveries.insertOne({ ...delivery, state: 'failed', next_attempt_at: null });
  await mongo.replays.insertOne(replay);
  await mongo.keys.insertOne(key);
  await mongo.auditEntries.insertOne(makeEntry({ merchantId }));
  const email = `${mintToken().toLowerCase()}@shop.example`;
  const invited = await invite({ mongo, actor }, { merchant: merchantId, email, role: 'support' });
  const { user, session } = await makeVisitor({ mongo }, { role: 'support', merchantId });
  const passkey = mintToken();
  const fields = { public_key: '', counter: 0, name: '', created_at: new Date() };
  await mongo.passkeys.insertOne({
    _id: passkey,
    user_id: user._id,
    ...fields,
    last_used_at: null,
  });
  return {
    payment: payment._id,
    refund: refund._id,
    event: event._id,
    endpoint: endpoint._id,
    delivery: delivery._id,
    replay: replay._id,
    key: key._id,
    user: user._id,
    invite: invited.invite._id,
    session,
    passkey,
    token: invited.token,
  };
}

/** Inserts a user of that role who is signed in. */
export async function makeVisitor(
  { mongo }: Pick<Ground, 'mongo'>,
  { role, merchantId }: { role: Role; merchantId: string },
) {
  const _id = mintId('user');
  const user: User = {
    _id,
    merchant_id: merchantId,
    email: `${_id.toLowerCase()}@shop.example`,
    password_hash: '',
    role,
    created_at: new Date(),
  };
  await mongo.users.insertOne(user);
  const means = { means: 'password', browser: '', isKnown: true, replaced: undefined } as const;
  const token = await startSession({ mongo }, user, means);
  const rows = await mongo.sessions.find({ user_id: _id }).toArray();
  return { user, token, csrf: csrfOf(token), session: rows[0]?._id ?? '' };
}

export type Visitor = Awaited<ReturnType<typeof makeVisitor>>;

export interface Answer {
  readonly status: number;
  /** The page; '' unless it is HTML. */
  readonly html: string;
  /** Where a redirect leads; null without one. */
  readonly to: string | null;
}

/** Sends a request with the visitor's cookie. A null origin sends none. Follows no redirect. */
export async function send(
  { url }: Pick<Ground, 'url'>,
  { token, csrf }: Pick<Visitor, 'token' | 'csrf'>,
  request: { path: string; form?: Record<string, string>; origin?: string | null },
): Promise<Answer> {
  const { path, form, origin = url } = request;
  const headers = {
    Cookie: `tollgate-session=${token}`,
    ...(form && origin !== null && { Origin: origin }),
  };
  const body = form && new URLSearchParams({ csrf, ...form });
  const response = await fetch(url + path, {
    headers,
    redirect: 'manual',
    ...(body && { method: 'POST', body }),
  });
  const to = response.headers.get('location');
  const isHtml = response.headers.get('content-type')?.startsWith('text/html') ?? false;
  if (isHtml) return { status: response.status, html: await response.text(), to };
  // Some responses never end, such as live updates.
  await response.body?.cancel();
  return { status: response.status, html: '', to };
}

export const isForm = (route: Route): boolean =>
  route.kind === 'action' || route.kind === 'open-action';

/** Returns everything in the database but the times of sessions, for a comparison. */
export async function everything({ db }: Mongo): Promise<string> {
  const collections = await db.listCollections().toArray();
  const names = collections.map(({ name }) => name).toSorted();
  const all = await Promise.all(
    names.map(async (name) => [name, await db.collection(name).find().sort({ _id: 1 }).toArray()]),
  );
  return JSON.stringify(all, (key, value: unknown) => (key === 'seen_at' ? undefined : value));
}
