/** The secrets that an attempt was or may have been checked with, opened in memory alone. */
import { signatureHeaders } from '../outbound/sign.ts';
import type { SignedMessage } from '../outbound/sign.ts';
import type { Delivery } from '../domain/delivery.ts';
import { liveSecrets } from '../domain/endpoint.ts';
import type { Endpoint } from '../domain/endpoint.ts';
import type { Finding } from '../domain/signature/explain.ts';
import type { OtherSecret } from '../domain/signature/keys.ts';
import { findAnyEndpoint } from '../store/endpoints.ts';
import { readPage } from '../store/page.ts';
import { Refusal } from './refusal.ts';
import type { Services } from './services.ts';

/** An attempt: what was signed, and the signatures that were sent, where they are on record. */
export interface Signed {
  readonly at: Date;
  readonly message: SignedMessage;
  readonly signature: string | undefined;
}

interface OpenSecret {
  readonly secret: string;
  readonly sealed: string;
  readonly hint: string;
  readonly isCurrent: boolean;
}

export interface SecretsAround {
  /** Those that made the signatures, as far as they are still at hand. */
  readonly signing: readonly { readonly secret: string; readonly hint: string }[];
  /** Those that the merchant may have taken in their place. */
  readonly others: readonly OtherSecret[];
  readonly findings: readonly Finding[];
}

type Opener = Pick<Services, 'mongo' | 'sealer'>;

/** As many are read to find the neighbours, which are tried: each one costs some milliseconds. */
const READ = 100;
const NEIGHBOURS = 20;

/** Finds and opens the secrets around an attempt of that delivery. */
export async function secretsAround(
  services: Opener,
  { m, endpoint_id }: Delivery,
  signed: Signed,
): Promise<SecretsAround> {
  const endpoint = await findAnyEndpoint(services.mongo, endpoint_id);
  if (!endpoint)
    throw new Refusal('resource_missing', {
      message: 'Its endpoint is not there any more.',
      param: 'id',
    });
  const known = open(services, endpoint, true);
  const signing = known.filter(madeIt(endpoint, signed));
  const own = known
    .filter((each) => !signing.includes(each))
    .map(({ secret, hint, isCurrent }) => {
      const which = isCurrent ? 'the newest' : 'another';
      const whose = `${which} secret of this endpoint (ending in ${hint})`;
      return { secret, whose: `${whose}, which did not sign this attempt` };
    });
  const neighbours = await neighboursOf(services, m, endpoint_id);
  const others = neighbours.flatMap((each) => theirs(services, each));
  return { signing, others: [...own, ...others], findings: lost(signed, signing.length) };
}

/**
 * An endpoint's secrets. One that no configured key opens is left out, as if it were lost, but for
 * the newest of the endpoint in question: `needsNewest` makes that a fault that says which key.
 */
function open({ sealer }: Opener, endpoint: Endpoint, needsNewest = false): OpenSecret[] {
  const { _id, secret, secret_hint, previous_secrets: previous = [] } = endpoint;
  const all = [{ sealed: secret, hint: secret_hint, isCurrent: true }];
  for (const each of previous) all.push({ sealed: each.secret, hint: each.hint, isCurrent: false });
  return all.flatMap((each) => {
    try {
      return [{ ...each, secret: sealer.unseal(each.sealed, _id) }];
    } catch (error) {
      if (needsNewest && each.isCurrent) throw error;
      return [];
    }
  });
}

/** By what was sent; where that was not kept, by what the endpoint says of that time. */
function madeIt(
  endpoint: Endpoint,
  { at, message, signature }: Signed,
): (each: OpenSecret) => boolean {
  if (signature === undefined) {
    const live = liveSecrets(endpoint, at);
    return ({ sealed }) => live.includes(sealed);
  }
  const sent = signature.split(',');
  return ({ secret }) => {
    const { 'Service-Signature': own = '' } = signatureHeaders(message, [secret]);
    return sent.includes(own);
  };
}

/** The merchant's other endpoints: those that live first, then deleted ones, newest first. */
async function neighboursOf({ mongo }: Opener, m: string, id: string): Promise<Endpoint[]> {
  const { rows } = await readPage(mongo.endpoints, { filter: { m }, limit: READ });
  const others = rows.filter(({ _id }) => _id !== id);
  const living = others.filter(({ status }) => status !== 'deleted');
  const gone = others.filter(({ status }) => status === 'deleted');
  return [...living, ...gone].slice(0, NEIGHBOURS);
}

function theirs(services: Opener, endpoint: Endpoint): OtherSecret[] {
  const kind = endpoint.status === 'deleted' ? 'deleted' : 'other';
  return open(services, endpoint).map(({ secret, hint, isCurrent }) => {
    const which = isCurrent ? 'the secret' : 'an older secret';
    return {
      secret,
      whose: `${which} of your ${kind} endpoint ${endpoint._id} (ending in ${hint})`,
    };
  });
}

function lost({ signature }: Signed, found: number): Finding[] {
  const count = signature === undefined ? 0 : signature.split(',').length - found;
  if (count === 0) return [];
  const which = found === 0 ? 'It was signed' : `It was signed ${count + found} times, once`;
  const says =
    `${which} with a secret that has been replaced since: that signature is shown as it was sent, ` +
    'and cannot be computed again. Nothing is wrong with it.';
  return [{ code: 'secret_replaced', kind: 'note', about: null, says }];
}
