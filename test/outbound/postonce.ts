/** Sends one guarded POST to each URL in its arguments, and prints the results as JSON. */
import { parseRanges } from '../../outbound/address.ts';
import { makeOutbound } from '../../outbound/post.ts';

const TIMEOUT_MS = 5_000;

const outbound = makeOutbound({
  opened: parseRanges(['127.0.0.1/32', '::1/128']),
  timeoutMs: TIMEOUT_MS,
});
const results: (string | number | null)[] = [];
for (const url of process.argv.slice(2)) {
  const { status, error } = await outbound.post({ url, headers: {}, body: '{}' });
  results.push(status ?? error);
}
process.stdout.write(JSON.stringify(results));
await outbound.close();
