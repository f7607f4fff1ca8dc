/** The public addresses: they work, are encrypted, and lead to this installation. */
import { IDENTITY_PATH } from '../http/identity.ts';
import type { Identity, IdentityDocument } from '../http/identity.ts';
import { VERSION } from '../version.ts';
import { ok, problem, skipped, wordsOf } from './check.ts';
import type { Check, Result } from './check.ts';
import { judgeClock } from './clocks.ts';
import type { ProblemCode } from './problems.ts';
import { visit } from './visit.ts';
import type { Validity, Visit } from './visit.ts';

/**
 * Certificates of 90 days are usually renewed 30 days before their end. Those of a proxy's own
 * authority may live for hours, and are renewed when a third of that time is left.
 */
const RENEWAL_DAYS = 14;
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** The `Date` header has whole seconds. */
const DATE_STEP_MS = 1_000;

const LOOPBACK = /^(localhost|.+\.localhost|127\.[\d.]+|\[::1\])$/;

export interface Address {
  readonly variable: 'API_URL' | 'CHECKOUT_URL' | 'DASHBOARD_URL';
  readonly service: Identity['service'];
  /** Undefined if the variable is faulty. */
  readonly url: string | undefined;
}

/** The values that the servers behind the addresses must match. */
export interface Expected {
  /** The ids of the configured keys; undefined without a key. */
  readonly keyIds: readonly string[] | undefined;
  readonly trustedHops: number;
  /** True for `npm start`, whose addresses are those of this machine. */
  readonly isEmbedded: boolean;
}

/** Creates the checks of the three addresses. All checks of an address share one request. */
export function addressChecks(addresses: readonly Address[], expected: Expected): Check[] {
  return addresses.flatMap((address) => checksOf(address, expected));
}

function checksOf({ variable, service, url }: Address, expected: Expected): Check[] {
  const name = (subject: string): string => `${variable}: ${subject}`;
  const visited = url === undefined ? undefined : visit(url + IDENTITY_PATH);
  // Each check reports the failure by itself.
  visited?.catch(() => undefined);
  const whenVisited = (judge: (found: Visit) => Result) => async (): Promise<Result> => {
    const found = await visited?.catch(() => undefined);
    return found ? judge(found) : skipped(`${variable} does not respond.`);
  };
  const isSecure = url?.startsWith('https:') === true;
  const checks: Check[] = [
    {
      check: `${service}.address`,
      name: name('response'),
      run: async () => {
        if (url === undefined || !visited) return skipped(`${variable} has a fault.`);
        return visited.then(({ status }) => ok(`${url} responds with ${status}.`), faultOf);
      },
    },
    {
      check: `${service}.tls`,
      name: name('encryption'),
      run: isSecure
        ? whenVisited(({ certificate }) => judgeEnd(certificate, new Date()))
        : () => judgePlain(url, expected),
    },
    {
      check: `${service}.identity`,
      name: name('identity'),
      run: whenVisited((found) => judgeIdentity(found, { variable, service, url }, expected)),
    },
  ];
  if (service !== 'api' || url === undefined) return checks;
  return [...checks, ...serverChecks(url, whenVisited)];
}

/** Creates the checks that need one of the addresses only. */
function serverChecks(
  url: string,
  whenVisited: (judge: (found: Visit) => Result) => () => Promise<Result>,
): Check[] {
  return [
    {
      check: 'server.clock',
      name: 'Server: clock',
      run: whenVisited(({ serverMs: theirMs, beforeMs, afterMs }) => {
        if (Number.isNaN(theirMs)) return skipped('The response has no Date header.');
        const reading = { theirMs, beforeMs, afterMs, stepMs: DATE_STEP_MS };
        return judgeClock('the API', reading);
      }),
    },
    {
      check: 'server.ready',
      name: 'Server: its MongoDB and Temporal',
      run: async () => {
        const found = await visit(`${url}/readyz`).catch(() => undefined);
        return found ? judgeReady(found) : skipped('API_URL does not respond.');
      },
    },
  ];
}

function judgePlain(url: string | undefined, { isEmbedded }: Expected): Result {
  if (url === undefined) return skipped('The variable has a fault.');
  const { hostname } = new URL(url);
  if (!LOOPBACK.test(hostname)) return problem('address_without_tls', `${url} is not encrypted.`);
  if (isEmbedded) return ok(`${url} is an address of this machine only, as \`npm start\` has it.`);
  return problem('address_local', `${url} is an address of this machine only.`);
}

/** Judges the remaining time of a valid certificate. */
export function judgeEnd(certificate: Validity | null, now: Date): Result {
  if (!certificate) return skipped('The certificate could not be read.');
  const { begins, ends } = certificate;
  const leftMs = ends.getTime() - now.getTime();
  const renewedMs = Math.min(RENEWAL_DAYS * DAY_MS, (ends.getTime() - begins.getTime()) / 4);
  const hours = Math.floor(leftMs / HOUR_MS);
  const found = `The certificate ends at ${ends.toISOString()}, in ${hours} hours.`;
  return leftMs < renewedMs ? problem('certificate_ends_soon', found) : ok(found);
}

const TLS_FAULTS: Readonly<Record<string, ProblemCode>> = {
  ENOTFOUND: 'address_unknown_name',
  EAI_AGAIN: 'address_unknown_name',
  CERT_HAS_EXPIRED: 'certificate_expired',
  CERT_NOT_YET_VALID: 'certificate_untrusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate_of_other_host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate_untrusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate_untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate_untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate_untrusted',
};

function faultOf(error: unknown): Result {
  const { code = '' } = error as { code?: string };
  return problem(TLS_FAULTS[code] ?? 'address_unreachable', wordsOf(error));
}

/** Judges whether the response is the document of that service of this installation. */
export function judgeIdentity(
  { status, text }: Pick<Visit, 'status' | 'text'>,
  { variable, service, url }: Address,
  { keyIds, trustedHops }: Expected,
): Result {
  const found = status === 200 ? parseDocument(text) : undefined;
  if (!found) return problem('address_not_ours', `${url} is not a server of Tollgate (${status}).`);
  if (found.service !== service) {
    return problem('address_of_other_service', `${url} leads to the ${found.service}.`);
  }
  if (keyIds && !keyIds.includes(found.key_id)) {
    const words = `The server at ${url} has another ENCRYPTION_KEY (${found.key_id}).`;
    return problem('address_of_other_installation', words);
  }
  if (found.url !== url) {
    return problem('address_differs', `The server at ${url} has ${variable}=${found.url}.`);
  }
  if (found.forwarded !== trustedHops) {
    const words = `The number of proxies that add to X-Forwarded-For is ${found.forwarded}, but TRUSTED_PROXY_HOPS is ${trustedHops}.`;
    return problem('proxies_differ', words);
  }
  if (found.version !== VERSION) {
    const words = `The server has version ${found.version}, and this command ${VERSION}.`;
    return problem('version_differs', words);
  }
  return ok(`It leads to the ${service} of this installation.`);
}

function parseDocument(text: string): (Partial<IdentityDocument> & { key_id: string }) | undefined {
  try {
    const parsed = JSON.parse(text) as Partial<IdentityDocument> | null;
    if (typeof parsed?.key_id === 'string') return { ...parsed, key_id: parsed.key_id };
  } catch {
    // Another server's page.
  }
  return undefined;
}

/** Judges the response of `/readyz`, which a proxy may hide. */
export function judgeReady({ status, text }: Pick<Visit, 'status' | 'text'>): Result {
  if (![200, 503].includes(status))
    return skipped(`The proxy does not pass on /readyz (${status}).`);
  if (status === 200 && text.includes('"ok"') && !text.includes('degraded')) {
    return ok('The server reaches both.');
  }
  return problem('server_degraded', `The server reports ${text.slice(0, 200).trim()}.`);
}
