/** `tollgate verify-page`: compares a payment page with the installed version. */
import { parseUrl } from '../domain/url.ts';
import { NotReached } from '../verify/fetch.ts';
import { baseOf, verifyPage } from '../verify/verify.ts';
import type { Report } from '../verify/verify.ts';
import { openAccess, requireTestKey } from './access.ts';
import type { AccessOptions } from './access.ts';
import { EXIT, Unavailable } from './complain.ts';
import { count } from './output.ts';
import { invalid } from './refusals.ts';

interface VerifyOptions extends AccessOptions {
  json?: boolean;
}

/** Verifies the page of that address, or of a test payment. Sets the exit code 1 if it differs. */
export async function verifyAndPrint(
  options: VerifyOptions,
  [address]: readonly string[],
): Promise<void> {
  const report = await sayingUnavailable(async () =>
    address === undefined ? verifyTestPayment(options) : verifyPage(readAddress(address)),
  );
  console.log(options.json ? JSON.stringify(report) : toText(report));
  if (!report.same) process.exitCode = EXIT.no;
}

/** Creates a payment, verifies its page, and cancels it in any case. */
async function verifyTestPayment(options: VerifyOptions): Promise<Report> {
  requireTestKey(options);
  const { client } = openAccess(options);
  const { id, checkout_url: url } = await client.payments.create({
    amount: 12_500,
    currency: 'AMD',
    order_id: 'verify-page',
    description: 'tollgate verify-page',
    return_url: 'https://shop.example/return',
  });
  try {
    return await verifyPage(readAddress(url));
  } finally {
    // If this fails, the payment expires by itself, and the report is still of use.
    await client.payments.cancel(id, { reason: 'verify-page' }).catch(() => undefined);
  }
}

function readAddress(text: string): URL {
  const url = parseUrl(text);
  const isPage = url && /^https?:$/.test(url.protocol) && baseOf(url) !== undefined;
  if (isPage) return url;
  throw invalid('url', 'Give the address of a payment page, as in checkout_url.');
}

/** Rethrows the lack of a response as an error that the command line prints in one sentence. */
async function sayingUnavailable<T>(work: () => Promise<T>): Promise<T> {
  return work().catch((error: unknown) => {
    throw error instanceof NotReached ? new Unavailable(error.message) : error;
  });
}

function toText({ page, same, differences, version, inventory }: Report): string {
  const lines = differences.map(({ text }) => text);
  const sum = `${page}, Tollgate ${version}`;
  if (same) return `Same: ${sum}, ${count(inventory.length, 'known file')}.`;
  return [...lines, `Different: ${sum}, ${count(lines.length, 'difference')}.`].join('\n');
}
