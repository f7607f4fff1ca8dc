/** Errors as pages, in the customer's language and without a word on what is inside. */
import type { Context, Next } from 'koa';
import { isUnavailable } from '../store/mongo.ts';
import { TemporalUnavailable } from '../temporal/client.ts';
import { drawNotice } from './pages/notice.tsx';
import type { NoticeKind } from './pages/notice.tsx';
import { chooseLocale, keepLanguage, setStage } from './scene.ts';
import { readLocale } from './text.ts';
import type { Desk } from './visit.ts';

/** When a customer whom we could not serve should come again, in seconds. */
const RETRY_AFTER_SECONDS = 5;

/** The addresses that somebody can go back to, within whatever path was asked for. */
const RETURNABLE = /^\/(?:c\/[\w-]+|bank\/\w+\/\w+\/[\w-]+)(?=\/|$)/;

/** Answers what the handlers throw; logs what is not the customer's doing. */
export async function answerTrouble(desk: Desk, ctx: Context, next: Next): Promise<void> {
  try {
    await next();
  } catch (error) {
    const status = statusOf(error);
    if (status >= 500) {
      const message = status === 503 ? 'a service is away' : 'a request failed';
      desk.log.error({ err: error }, message);
      if (status === 503) ctx.set('Retry-After', String(RETRY_AFTER_SECONDS));
    }
    // What is left of a body that was not read must not be taken for the next request.
    if (status === 413) ctx.set('Connection', 'close');
    ctx.status = status;
    ctx.type = 'html';
    ctx.body = drawTrouble(desk, ctx, status);
  }
}

function statusOf(error: unknown): number {
  if (isUnavailable(error) || error instanceof TemporalUnavailable) return 503;
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  const refusal = typeof status === 'number' && status >= 400 && status < 500;
  return refusal ? status : 500;
}

function drawTrouble(desk: Desk, ctx: Context, status: number): string {
  const path = RETURNABLE.exec(ctx.path)?.[0];
  const back = path === undefined || status === 404 ? undefined : desk.addresses.base + path;
  const locale = readLocale(ctx.state['locale']) ?? chooseLocale(ctx);
  const stage = setStage({ locale, assets: desk.assets }, back ?? '');
  return drawNotice(stage, {
    kind: kindOf(status),
    again: back === undefined ? undefined : keepLanguage(ctx, back),
  });
}

function kindOf(status: number): NoticeKind {
  if (status === 404 || status === 414) return 'not_found';
  if (status === 405) return 'method';
  if (status === 503 || status === 429) return 'unavailable';
  return status < 500 ? 'form' : 'fault';
}
