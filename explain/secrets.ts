/** Finds the secrets that signed an attempt, or that a merchant may have used instead. */
import { signatureHeaders } from '../outbound/sign.ts';
import type { SignedMessage } from '../outbound/sign.ts';
import type { Delivery } from '../domain/delivery.ts';
import { liveSecrets } from '../domain/endpoint.ts';
import type { Endpoint } from '../domain/endpoint.ts';
import { endpointById } from '../store/endpoints.ts';
import type { Mongo } from '../store/mongo.ts';
import { readPage } from '../store/page.ts';
import type { Sealer } from '../store/seal.ts';

export interface Stores {
  readonly mongo: Mongo;
  readonly sealer: Sealer;
}

/** What an attempt signed, and the `Service-Signature` that it sent, if that is on record. */
interface Signed {
  readonly at: Date;
  readonly message: SignedMessage;
  readonly signature: string | undefined;
}

interface OpenSecret {
  readonly secret: string;
  readonly sealed: string;
  readonly hint: string;
}

/** The merchant's newest endpoints, deleted ones too, whose secrets are tried. */
const NEIGHBOURS = 100;

/**
 * Opens the secrets around an attempt of that delivery: those that signed it, as far as they are
 * still stored, and others. Throws if no configured key opens the endpoint's newest secret.
 */
export async function secretsAround(
  { mongo, sealer }: Stores,
  { m, endpoint_id: id }: Delivery,
  signed: Signed,
) {
  const endpoint = await endpointById(mongo, id);
  if (!endpoint) throw new Error(`The endpoint ${id} is not stored any more.`);
  sealer.unseal(endpoint.secret, id);
  const known = open(sealer, endpoint);
  const signing = known.filter(hasSigned(endpoint, signed));
  const own = known.filter((each) => !signing.includes(each));
  const { rows } = await readPage(mongo.endpoints, { filter: { m }, limit: NEIGHBOURS });
  const theirs = rows.filter(({ _id }) => _id !== id);
  const others = [
    ...own.map(({ secret: value, sealed, hint }) => {
      const which = sealed === endpoint.secret ? 'the newest' : 'a replaced';
      const whose = `${which} secret of this endpoint (ending in ${hint})`;
      return { value, whose: `${whose}, which did not sign this attempt` };
    }),
    ...theirs.flatMap((each) => {
      const kind = each.status === 'deleted' ? 'deleted' : 'other';
      const whose = `the secret of your ${kind} endpoint ${each._id}`;
      return open(sealer, each).map(({ secret: value, hint }) => {
        return { value, whose: `${whose} (ending in ${hint})` };
      });
    }),
  ];
  return { signing, others };
}

/** Returns an endpoint's secrets, newest first, without those that no configured key opens. */
function open(sealer: Sealer, { _id, secret, secret_hint, ...endpoint }: Endpoint): OpenSecret[] {
  const { previous_secrets: previous = [] } = endpoint;
  return [{ secret, hint: secret_hint }, ...previous].flatMap(({ secret: sealed, hint }) => {
    try {
      return [{ sealed, hint, secret: sealer.unseal(sealed, _id) }];
    } catch {
      return [];
    }
  });
}

/** Decides by the signatures that were sent; if they were not kept, by the endpoint's record. */
function hasSigned(endpoint: Endpoint, { at, message, signature }: Signed) {
  const live = liveSecrets(endpoint, at);
  const sent = signature?.split(',');
  return ({ secret, sealed }: OpenSecret): boolean => {
    const { 'Service-Signature': own = '' } = signatureHeaders(message, [secret]);
    return sent ? sent.includes(own) : live.includes(sealed);
  };
}
