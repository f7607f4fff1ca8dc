/** A request of a signed-in user, and what its handler returns. */
import type { Context } from 'koa';
import type { VNode } from 'preact';
import { tenantOf } from '../domain/merchant.ts';
import type { Locale, Merchant } from '../domain/merchant.ts';
import { may, roleOf } from '../domain/user.ts';
import type { InviteLink, Permission, Role, User, UserSession } from '../domain/user.ts';
import type { Links } from '../domain/wire.ts';
import type { Lookup } from '../http/lookup.ts';
import type { Counter, Rate } from '../http/sender.ts';
import type { Log } from '../log.ts';
import type { Refusal } from '../operations/refusal.ts';
import type { Services as OperationServices } from '../operations/services.ts';
import type { Outbound } from '../outbound/post.ts';
import type { Temporal } from '../temporal/client.ts';
import type { Assets } from './assets.ts';
import { csrfOf } from './cookies.ts';
import type { Challenges } from './challenges.ts';
import type { Cookies } from './cookies.ts';
import { NO_FORM } from './form.ts';
import type { Form } from './form.ts';
import type { Guesses, Line } from './guesses.ts';
import { makeTranslate } from './text.ts';
import type { NoticeKey, Translate } from './text.ts';

/** The dependencies of every handler. */
export interface Services extends Pick<OperationServices, 'mongo' | 'sealer' | 'opened'> {
  readonly temporal: Temporal;
  readonly log: Log;
  /** Sends to merchants' receivers. */
  readonly outbound: Pick<Outbound, 'post'>;
  readonly links: Links;
  readonly apiUrl: string;
  /** The dashboard's own address, without a slash at its end. */
  readonly ownUrl: string;
  /** The address before a workflow's id in Temporal's web interface. Absent if there is none. */
  readonly temporalUiUrl?: string;
  readonly bankTimeoutMs: number;
  readonly lifetime: { readonly minMs: number };
  /** The days for which the records of deliveries are kept. */
  readonly retentionDays: number;
  readonly limits: {
    /** Of all strangers together. */
    readonly anonymous: Rate;
    readonly merchant: Rate;
    readonly trustedHops: number;
  };
  readonly assets: Assets;
  readonly cookies: Cookies;
  readonly challenges: Challenges;
  readonly guesses: Guesses;
  /** Sets new passwords: few at once, because each takes a hash. */
  readonly setPassword: Line;
  /** Counts the pages and forms of a merchant's staff. */
  readonly countRequest: Counter;
  /** Counts the checks of a tenant's receivers. */
  readonly countCheck: Counter;
  /** Finds the session of a token's hash. Limits the queries for made-up tokens. */
  readonly findSession: Lookup<UserSession>;
  /** Finds the invitation or the reset of a token's hash, in the same way. */
  readonly findLink: Lookup<InviteLink>;
}

/** A request of anybody. */
export interface PageRequest {
  readonly services: Services;
  readonly ctx: Context;
  readonly params: Readonly<Record<string, string>>;
  readonly now: Date;
  readonly locale: Locale;
  readonly t: Translate;
  /** The submitted form; empty for a GET. */
  readonly form: Form;
  /** Why the form was refused, while its page is shown again. */
  readonly refusal?: Refusal;
}

/** A request of a signed-in user. */
export interface StaffRequest extends PageRequest {
  readonly user: User;
  readonly role: Role;
  readonly merchant: Merchant;
  readonly session: UserSession;
  /** The merchant's test mode: the tenant of every query. */
  readonly tenant: string;
  /** The text that every form of this session carries. */
  readonly csrf: string;
  /** True if the user has to set up a second step before anything else. */
  readonly mustSetUp: boolean;
  readonly may: (permission: Permission) => boolean;
  /** The services of operations, with the user as the actor. */
  readonly operations: OperationServices;
}

/** A page to show, or the place to go to, with the notice to show there. */
export type Result =
  | { readonly page: VNode; readonly status?: number }
  | { readonly to: string; readonly done?: NoticeKey }
  /** The handler has written the response itself. */
  | 'sent';

export type Handle<R extends PageRequest> = (request: R) => Promise<Result>;

/** Returns the request with what belongs to the signed-in user. */
export function asStaff(
  request: PageRequest,
  of: Pick<StaffRequest, 'user' | 'merchant' | 'session' | 'mustSetUp'> & { token: string },
): StaffRequest {
  const { user, merchant, session, mustSetUp, token } = of;
  const { mongo, sealer, opened, temporal } = request.services;
  const role = roleOf(user);
  const locale = user.locale ?? request.locale;
  return {
    ...request,
    locale,
    t: makeTranslate(locale),
    user,
    role,
    merchant,
    session,
    tenant: tenantOf(merchant._id, 'test'),
    csrf: csrfOf(token),
    mustSetUp,
    may: (permission) => may(role, permission),
    operations: { mongo, sealer, opened, temporal, actor: { type: 'user', name: user._id } },
  };
}

/** Returns the request as a GET of a page that a form belongs to, or with the refused form. */
export function makeRequest(
  services: Services,
  ctx: Context,
  { locale, params }: { locale: Locale; params: Record<string, string> },
): PageRequest {
  const t = makeTranslate(locale);
  return { services, ctx, params, locale, t, now: new Date(), form: NO_FORM };
}
