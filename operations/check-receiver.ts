/** The check of an endpoint's receiver, which sends it genuine deliveries and forgeries. */
import { examine } from '../check/examine.ts';
import type { Request } from '../check/exchange.ts';
import { probesOf } from '../check/probes.ts';
import { madeUpSpecimens } from '../check/specimens.ts';
import { REPORT_KEPT_MS } from '../domain/check.ts';
import type { CheckReport, Finding } from '../domain/check.ts';
import { liveSecrets, shownUrl } from '../domain/endpoint.ts';
import type { Endpoint } from '../domain/endpoint.ts';
import { isLive, merchantOf } from '../domain/merchant.ts';
import type { Outbound } from '../outbound/post.ts';
import { beginCheck, endCheck } from '../store/checks.ts';
import { mintToken } from '../store/mint.ts';
import { requireEndpoint } from './checks.ts';
import { Refusal } from './refusal.ts';
import { entryOf } from './services.ts';
import type { Registry } from './services.ts';

/** The time in which a check begins requests. The last one may take the limit of one more. */
const SENDING_MS = 35_000;
/** A check that died is over after this time: longer than any check takes. */
const LOCK_MS = 60_000;

interface CheckServices extends Registry {
  readonly outbound: Pick<Outbound, 'post'>;
}

/**
 * Checks the receiver with made-up events, and stores the report in place of the former one. Sends
 * at most 31 requests, one after the other, to the endpoint's own URL, and only one if that is
 * refused. Stops, without a report, as soon as `isUnwanted` returns true. Throws `Refusal` in live
 * mode, for an endpoint that does not exist, and while another check of it runs.
 */
export async function checkReceiver(
  services: CheckServices,
  { id, isUnwanted }: { id: string; isUnwanted: () => boolean },
): Promise<void> {
  const { mongo } = services;
  const endpoint = await requireEndpoint(services, id);
  const { _id, m, url } = endpoint;
  if (isLive(m)) throw Refusal.ofParam('id', 'Receivers are checked in test mode only.');
  const now = new Date();
  const [busy_until, expires_at] = [after(now, LOCK_MS), after(now, REPORT_KEPT_MS)];
  const check = { _id, m, run: mintToken(), busy_until, expires_at };
  const entry = entryOf(services, {
    action: 'endpoint.check',
    objectId: _id,
    merchantId: merchantOf(m),
    after: { url: shownUrl(url) },
  });
  if (!(await beginCheck(mongo, { ...check, now }, entry))) {
    const message = 'This receiver is being checked already: wait a minute.';
    throw new Refusal('too_many_requests', { message });
  }
  let report: CheckReport | undefined;
  try {
    const findings = await findingsOn(services, endpoint, isUnwanted);
    if (!isUnwanted()) report = { at: now, url: shownUrl(url), findings };
  } finally {
    await endCheck(mongo, check, { now: new Date(), report });
  }
}

const after = (time: Date, ms: number): Date => new Date(time.getTime() + ms);

async function findingsOn(
  { outbound, sealer }: CheckServices,
  endpoint: Endpoint,
  isUnwanted: () => boolean,
): Promise<Finding[]> {
  const { _id, url } = endpoint;
  const secrets = liveSecrets(endpoint, new Date()).map((each) => sealer.unseal(each, _id));
  // The guard sends only POSTs.
  const probes = probesOf({ specimens: madeUpSpecimens(), secrets }).filter(
    ({ check }) => check !== 'method',
  );
  const overAt = performance.now() + SENDING_MS;
  const send = async ({ headers, body = '' }: Request) => {
    const { status, error, durationMs } = await outbound.post({ url, headers, body });
    // The body is not kept: a receiver that is being mended may repeat its secret.
    return { status, error: status === null ? error : null, body: '', durationMs };
  };
  const isOver = (): boolean => isUnwanted() || performance.now() > overAt;
  const findings: Finding[] = [];
  for await (const finding of examine(probes, { send, isReal: false, isOver })) {
    findings.push(finding);
  }
  return findings;
}
