/** The merchant's logo: where pages find it, how large it is there, and its bytes. */
import type { RouterContext } from '@koa/router';
import type { Logo } from '../domain/merchant.ts';
import { logoSize } from '../domain/picture.ts';
import { IMMUTABLE } from '../http/assets.ts';
import type { Services } from './request.ts';

/** A hash, as `setLogo` makes it. */
const FORM = /^[\da-f]{64}$/;

/** A logo as a page shows it. */
export interface ShownLogo {
  readonly src: string;
  readonly width: number;
  readonly height: number;
}

export function showLogo({ addresses }: Services, logo: Logo): ShownLogo {
  return { src: `${addresses.base}/logos/${logo.id}`, ...logoSize(logo) };
}

/** Sends a logo. Its address changes with its bytes, so browsers may keep it. */
export function sendLogo({ findLogo }: Services) {
  return async (ctx: RouterContext): Promise<void> => {
    const { id = '' } = ctx.params;
    const logo = FORM.test(id) ? await findLogo(id) : undefined;
    if (!logo) ctx.throw(404);
    ctx.set('Cache-Control', IMMUTABLE);
    ctx.type = logo.type;
    ctx.body = logo.bytes;
  };
}
