/** The document by which an operator's check recognises a server behind its public address. */
import type { Handle } from './connections.ts';

export const IDENTITY_PATH = '/.well-known/tollgate';

export interface Identity {
  readonly service: 'api' | 'checkout' | 'dashboard';
  /** The public address that the server is configured with. */
  readonly url: string;
  readonly version: string;
  /** The id of the encryption key in use. All processes of an installation have the same one. */
  readonly key_id: string;
}

/** The document. `forwarded` is the number of proxies that the request has passed. */
export type IdentityDocument = Identity & { readonly forwarded: number };

/** Returns a handler that sends the document at its path, and leaves other requests to `handle`. */
export function withIdentity(handle: Handle, identity: Identity): Handle {
  return async (req, res) => {
    if (req.method !== 'GET' || req.url !== IDENTITY_PATH) return handle(req, res);
    const chain = [req.headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
    const forwarded = chain.filter((address) => address.trim() !== '').length;
    res.writeHead(200, {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    });
    const document: IdentityDocument = { ...identity, forwarded };
    return void res.end(JSON.stringify(document));
  };
}
