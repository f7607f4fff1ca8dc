/** Runs the handler of an address, after the checks that its route asks for. */
import { Router } from '@koa/router';
import type { Context } from 'koa';
import { isConfirmed, isSessionOf, isSessionOver } from '../domain/user.ts';
import { senderOf } from '../http/sender.ts';
import { Refusal } from '../operations/refusal.ts';
import type { ErrorCode } from '../operations/refusal.ts';
import { mustSetUp } from '../operations/requirement.ts';
import { isPasswordOf } from '../operations/team.ts';
import { findMerchant } from '../store/merchants.ts';
import { confirmSession, countMiss, touchSession } from '../store/sessions.ts';
import { hashOfToken, userById } from '../store/users.ts';
import { startRequestSpan } from '../tracing/requests.ts';
import { isSame } from './cookies.ts';
import { readForm } from './form.ts';
import { asStaff, makeRequest } from './request.ts';
import type { Handle, PageRequest, Result, Services, StaffRequest } from './request.ts';
import { ROUTES } from './routes.ts';
import type { Route } from './route.ts';
import { translateRefusal } from './refusals/translate.ts';
import { chooseLocale, labelOf } from './text.ts';
import { renderDocument } from '../ui/document.tsx';

/** The header of requests that a page makes by itself (assets/live.js). */
const LIVE_HEADER = 'X-Live';

/** Creates the router of all addresses. */
export function makeRouter(services: Services): Router {
  const router = new Router({ strict: true, sensitive: true });
  router.get('/assets/:file', (ctx) => services.assets.send(ctx, ctx.params['file'] ?? ''));
  router.get('/healthz', (ctx) => {
    ctx.body = 'ok\n';
  });
  for (const route of ROUTES) {
    const isForm = route.kind === 'action' || route.kind === 'open-action';
    router[isForm ? 'post' : 'get'](route.path, async (ctx) => {
      ctx.state['route'] = route.path;
      if (!isOurHost(services, ctx)) return;
      if (isForm) requireOrigin(services, ctx);
      const request = makeRequest(services, ctx, { locale: chooseLocale(ctx), params: ctx.params });
      send(request, await run(route, request));
    });
  }
  return router;
}

/**
 * Returns true if the request names the dashboard's own host. Otherwise redirects a GET there: the
 * cookies and the forms belong to that address.
 */
function isOurHost({ ownUrl }: Services, ctx: Context): boolean {
  if (ctx.host === new URL(ownUrl).host) return true;
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') ctx.throw(403);
  // Without the host that the address itself may name (RFC 9112, 3.2.2).
  ctx.redirect(ownUrl + ctx.path + ctx.search);
  return false;
}

/** Throws 403 for a form that another site submits. */
function requireOrigin({ ownUrl }: Services, ctx: Context): void {
  const { origin } = new URL(ownUrl);
  if (ctx.get('Origin') !== origin) ctx.throw(403);
}

async function run(route: Route, request: PageRequest): Promise<Result> {
  if (route.kind === 'open-page') return route.show(request);
  if (route.kind === 'open-action') {
    return submit({ ...request, form: await readForm(request.ctx) }, route);
  }
  const sender = await signedIn(request);
  if (!sender) return toSignIn(request);
  await limitRequests(sender);
  if (isHeldBack(sender, route)) return TO_ACCOUNT;
  requirePermission(sender, route);
  if (route.kind === 'page') return route.show(sender);
  const form = await readForm(request.ctx, route);
  // The sender decides how long a form takes. Meanwhile the session may have ended.
  const staff = await signedIn(request);
  if (!staff) return toSignIn(request);
  if (isHeldBack(staff, route)) return TO_ACCOUNT;
  if (!isSame(form.get('csrf'), staff.csrf)) request.ctx.throw(403);
  requirePermission(staff, route);
  startRequestSpan(request.ctx, { route: String(request.ctx.state['route']) });
  const { act, again, confirm } = route;
  const confirmed = async (sent: StaffRequest): Promise<Result> => {
    const ready = confirm ? await withConfirmation(sent) : sent;
    return ready ? act(ready) : toSignIn(sent);
  };
  return submit({ ...staff, form }, { act: confirmed, again });
}

/** The pages and forms for those who have to set up a second step first. The account shows how. */
const SETTING_UP: ReadonlySet<string> = new Set([
  '/account',
  '/account/language',
  '/account/second-step',
  '/account/second-step/on',
  '/account/passkeys',
  '/sign-out',
]);
const TO_ACCOUNT: Result = { to: '/account' };

/** Returns true if the user has to set up a second step first, and the route is not for that. */
function isHeldBack({ mustSetUp: isMissing }: StaffRequest, { path }: Route): boolean {
  return isMissing && !SETTING_UP.has(path);
}

/** Leads to the sign-in page, and from there to the page. A form's own address has no page. */
function toSignIn({ ctx }: PageRequest): Result {
  const next = ctx.method === 'GET' ? ctx.url : '/';
  return { to: `/sign-in?next=${encodeURIComponent(next)}` };
}

/** Refusals with a page of their own: an outage, and an id that the merchant does not have. */
const UNSHOWN: ReadonlySet<ErrorCode> = new Set(['unavailable', 'resource_missing']);

/** Runs the action. Shows the form's page again, with the reason, if the action is refused. */
async function submit<R extends PageRequest>(
  request: R,
  { act, again }: { act: Handle<R>; again: Handle<R> },
): Promise<Result> {
  try {
    return await act(request);
  } catch (refusal) {
    if (!(refusal instanceof Refusal) || UNSHOWN.has(refusal.code)) throw refusal;
    const shown = await again({ ...request, refusal: inWords(request, refusal) });
    const status = refusal.code === 'too_many_requests' ? 429 : 422;
    request.ctx.set(refusal.headers);
    return typeof shown === 'object' && 'page' in shown ? { ...shown, status } : shown;
  }
}

/** Returns the refusal in the reader's language. */
function inWords({ locale, t }: PageRequest, refusal: Refusal): Refusal {
  return translateRefusal(refusal, { locale, labelOf: (param) => labelOf(t, param) });
}

/** Returns the request of the signed-in user; undefined if nobody is signed in. */
async function signedIn(request: PageRequest): Promise<StaffRequest | undefined> {
  const { services, ctx, now } = request;
  const { mongo, cookies, findSession } = services;
  const token = cookies.readSession(ctx);
  const session = token === undefined ? undefined : await findSession(hashOfToken(token));
  if (token === undefined || !session || isSessionOver(session, now)) return undefined;
  const user = await userById(mongo, session.user_id);
  const merchant = user && (await findMerchant(mongo, user.merchant_id));
  if (!user || !merchant || !isSessionOf(session, user)) return undefined;
  ctx.state['user'] = user._id;
  // A page that updates by itself is no use of the session, or an open tab would keep it alive.
  if (ctx.get(LIVE_HEADER) === '') await touchSession(mongo, session, now);
  const isMissing = await mustSetUp({ mongo }, user, merchant);
  const staff = asStaff(request, { user, merchant, session, token, mustSetUp: isMissing });
  ctx.state['locale'] = staff.locale;
  return staff;
}

/** Throws 429 if the merchant's staff has sent too many requests, as by pages left open. */
async function limitRequests({ services, ctx, merchant }: StaffRequest): Promise<void> {
  const { isOver, resetSeconds } = await services.countRequest(merchant._id);
  if (!isOver) return;
  ctx.set('Retry-After', String(resetSeconds));
  ctx.throw(429);
}

function requirePermission(
  { may, ctx }: StaffRequest,
  { permission }: Extract<Route, { permission: unknown }>,
): void {
  if (!may(permission)) ctx.throw(403);
}

/**
 * Returns the request with a session whose user has entered the password, now or in the last
 * minutes. Throws `Refusal` for a wrong password. Returns undefined if the session is over: it was
 * ended while the guess waited, or too many guesses were wrong.
 */
async function withConfirmation(request: StaffRequest): Promise<StaffRequest | undefined> {
  const { services, ctx, session, user, now, form } = request;
  if (isConfirmed(session, now)) return request;
  const { mongo, cookies, guesses } = services;
  const device = cookies.readDevice(ctx);
  const known = device?.userId === user._id ? device.id : undefined;
  const who = { sender: senderOf(ctx.ip), device: known };
  const guess = async () => isPasswordOf(user, form.raw('password'));
  if (!(await guesses(who, guess))) {
    services.log.warn({ from: who.sender, user: user._id }, 'a password was not confirmed');
    if (!(await countMiss(mongo, session._id))) return undefined;
    throw Refusal.ofParam('password', 'The password is not right.');
  }
  if (!(await confirmSession(mongo, session._id, now))) return undefined;
  return { ...request, session: { ...session, confirmed_at: now } };
}

function send({ ctx }: PageRequest, result: Result): void {
  if (result === 'sent') return;
  if ('to' in result) {
    const { to, done } = result;
    const mark = to.includes('?') ? '&' : '?';
    ctx.status = 303;
    ctx.redirect(done === undefined ? to : `${to}${mark}done=${done}`);
    return;
  }
  ctx.status = result.status ?? 200;
  ctx.type = 'html';
  ctx.body = renderDocument(result.page);
}
