/** Compares the headers of a page with those of this version. */
import { IncomingMessage, ServerResponse } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { Socket } from 'node:net';
import Koa from 'koa';
import { checkoutHeaders } from '../checkout/headers.ts';
import type { Difference } from './page.ts';

/** Headers that load a file, lead away, or send the page's secret address to others. */
const NEVER = ['link', 'refresh', 'access-control-allow-origin', 'report-to', 'nel', 'sourcemap'];
const TYPE = 'text/html; charset=utf-8';

/** Returns a difference for each header that is missing, weaker or added. */
export async function compareHeaders(
  given: IncomingHttpHeaders,
  checkoutUrl: string,
): Promise<Difference[]> {
  const expected = { ...(await headersOf(checkoutUrl)), 'content-type': TYPE };
  const differences = Object.entries(expected).flatMap(([name, value]) => {
    const actual = [given[name] ?? []].flat().join(', ');
    if (actual === '') return [{ kind: 'header', text: `The header ${name} is missing.` }];
    return faultsOf(name, actual, value).map((fault) => ({ kind: 'header', text: fault }));
  });
  const added = NEVER.filter((name) => given[name] !== undefined).map((name) => ({
    kind: 'header',
    text: `The header ${name} was added: ${String(given[name])}`,
  }));
  return [...differences, ...added];
}

/** Returns the headers that the checkout of this version sends, by the code that sends them. */
async function headersOf(checkoutUrl: string): Promise<Record<string, string>> {
  const req = new IncomingMessage(new Socket());
  const res = new ServerResponse(req);
  await checkoutHeaders(checkoutUrl)(new Koa().createContext(req, res), async () => undefined);
  const headers = Object.entries(res.getHeaders());
  return Object.fromEntries(headers.map(([name, value]) => [name, String(value)]));
}

/** Returns what is wrong with a header, if anything. A proxy may send the same header again. */
function faultsOf(name: string, actual: string, expected: string): string[] {
  if (actual === expected || actual === `${expected}, ${expected}`) return [];
  if (name === 'content-security-policy') return comparePolicies(actual, expected);
  const isAsStrict =
    (name === 'cache-control' && /(?:^|[\s,])no-store(?:$|[\s,])/i.test(actual)) ||
    (name === 'strict-transport-security' && maxAgeOf(actual) >= maxAgeOf(expected)) ||
    (name === 'content-type' && actual.toLowerCase().replace(/; */, '; ') === expected);
  return isAsStrict ? [] : [`The header ${name} is "${actual}" instead of "${expected}".`];
}

const maxAgeOf = (header: string): number => Number(/max-age="?(\d+)/i.exec(header)?.[1] ?? -1);

/** Browsers enforce each policy of a list, so one that is ours is enough. */
function comparePolicies(actual: string, expected: string): string[] {
  const wanted = directivesOf(expected);
  const faults = actual.split(',').map((policy) => {
    const given = directivesOf(policy);
    const names = new Set([...wanted.keys(), ...given.keys()]);
    return [...names].flatMap((name) => {
      const [is, was] = [given.get(name), wanted.get(name)];
      if (is === was) return [];
      if (was === undefined) return [`The security policy has a new directive: ${name} ${is}`];
      if (is === undefined) return [`The security policy has no ${name}.`];
      return [`The security policy has "${name} ${is}" instead of "${name} ${was}".`];
    });
  });
  return faults.find((each) => each.length === 0) ?? faults[0] ?? [];
}

/** Returns the sources of each directive. A browser ignores a directive that is repeated. */
function directivesOf(policy: string): Map<string, string> {
  const directives = new Map<string, string>();
  for (const part of policy.split(';')) {
    const [name = '', ...sources] = part.trim().split(/\s+/);
    const key = name.toLowerCase();
    if (key !== '' && !directives.has(key)) directives.set(key, sources.toSorted().join(' '));
  }
  return directives;
}
