/** The check of merchants' URLs, and the addresses that they may lead to. */
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { parseUrl } from '../domain/url.ts';
import { lookUpHost } from './lookup.ts';
import type { HostLookup } from './lookup.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type Range = [Address, number];

/** The global unicast addresses of IPv6. All others have a special use. */
const IPV6_GLOBAL: Range = [ipaddr.parse('2000::'), 3];
/** A public address that leads Azure's virtual machines to their host. */
const AZURE_HOST = '168.63.129.16';
/** The middle of an IPv6 address that ends with an IPv4 address (RFC 5214, ISATAP). */
const ISATAP = [0x0000, 0x5efe] as const;
/** Marks the IPv4 address of ISATAP as globally unique. Anyone can set it. */
const ISATAP_GLOBAL_BIT = 0x0200;

/**
 * Names of internal hosts in any network: RFC 6761, 7686, 8375 and 9476, the names in RFC 6762
 * (appendix G), and those of clusters and of clouds' metadata services. Names without a dot are
 * internal too. `arpa` has names for addresses, so it has no receivers.
 */
// prettier-ignore
const INTERNAL_NAMES = [
  'localhost', 'localdomain', 'local', 'internal', 'intranet', 'private', 'corp', 'home', 'lan',
  'arpa', 'test', 'onion', 'alt', 'svc', 'cluster', 'consul', 'metadata.goog',
];
/** A host name that a name server can have (RFC 1035, 2.3.4; underscores are common too). */
const HOST_NAME = /^(?=.{1,253}\.?$)(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}\.?$/;

/** The first port of receivers. Lower ones belong to other services, except the two of HTTP. */
const FIRST_USER_PORT = 1_024;
const HTTP_PORTS = new Set([80, 443]);
/**
 * Higher ports of other services. Some would read the lines of a request as commands. First the
 * ports that browsers refuse (Fetch standard, "bad port"), then databases, caches, brokers, remote
 * desktops and control of machines.
 */
// prettier-ignore
const OTHER_SERVICES = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669,
  6679, 6697, 10080,
  1433, 1521, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 4222, 5432, 5671, 5672, 5900, 6379, 7233,
  9042, 9092, 9200, 9300, 10250, 11211, 27017, 27018, 27019,
]);

/** The number of addresses of a name that are tried, from the first. */
const MAX_ADDRESSES = 8;

/** Thrown for a URL that cannot be called. `address_blocked` also means a malformed URL. */
export class OutboundRefused extends Error {
  override name = 'OutboundRefused';
  readonly code: 'address_blocked' | 'dns_failed';
  constructor(code: 'address_blocked' | 'dns_failed', message: string) {
    super(message);
    this.code = code;
  }
}

/** Parses ranges such as `127.0.0.1/32`. Throws if one is malformed. */
export function parseRanges(cidrs: readonly string[]): Range[] {
  return cidrs.map((cidr) => ipaddr.parseCIDR(cidr));
}

function within(address: Address, [network, bits]: Range): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

function isIsatap({ parts }: ipaddr.IPv6): boolean {
  const [, , , , high = 0, low] = parts;
  return (high & ~ISATAP_GLOBAL_BIT) === ISATAP[0] && low === ISATAP[1];
}

/** Returns true if the text is an address in an opened range. */
export function isOpened(text: string, opened: readonly Range[]): boolean {
  if (!ipaddr.isValid(text)) return false;
  // `process` reads an IPv4-mapped address as IPv4.
  const address = ipaddr.process(text);
  return opened.some((range) => within(address, range));
}

/** Returns true for a public address, or one in an opened range. */
function isAllowed(text: string, opened: readonly Range[]): boolean {
  if (!ipaddr.isValid(text)) return false;
  if (isOpened(text, opened)) return true;
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast') return false;
  if (address instanceof ipaddr.IPv4) return address.toString() !== AZURE_HOST;
  return within(address, IPV6_GLOBAL) && !isIsatap(address);
}

/** Returns true if a receiver may listen on the port. The default port of the URL is ''. */
function isReceiverPort(text: string): boolean {
  const port = Number(text);
  return isHttpPort(text) || (port >= FIRST_USER_PORT && !OTHER_SERVICES.has(port));
}

const isHttpPort = (text: string): boolean => text === '' || HTTP_PORTS.has(Number(text));

/** URL parsing strips these silently, or reads them differently from other programs. */
const MISLEADING = /\p{Cc}|^\s|\s$|^[^?#]*\\/u;

/** Returns the URL of a receiver. Throws `OutboundRefused` if it is not allowed. */
export function parseReceiver(text: string): URL {
  const url = MISLEADING.test(text) ? undefined : parseUrl(text);
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password) {
    throw new OutboundRefused('address_blocked', 'The URL must be http or https without userinfo.');
  }
  if (isIP(bareHost(url)) === 0 && !HOST_NAME.test(url.hostname)) {
    throw new OutboundRefused('address_blocked', 'The host is not a valid host name.');
  }
  if (!isReceiverPort(url.port)) {
    throw new OutboundRefused('address_blocked', `Port ${url.port} is not allowed for receivers.`);
  }
  return url;
}

/** Returns the host without the brackets of IPv6. */
function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

/**
 * Resolves the host of `url` once. Throws `OutboundRefused` unless every address is allowed. The
 * addresses of an internal name must all be in opened ranges. `wasLookedUp` is false for a literal
 * address.
 */
export async function resolveReceiver(
  url: URL,
  opened: readonly Range[],
  lookUp: HostLookup = lookUpHost,
): Promise<{ readonly addresses: string[]; readonly wasLookedUp: boolean }> {
  const host = bareHost(url);
  const isReceiver = (address: string): boolean =>
    isAllowed(address, opened) &&
    (isHttpPort(url.port) || isOpened(address, opened) || !isOwn(address));
  if (isIP(host) !== 0) {
    if (!isReceiver(host)) throw notPublic();
    return { addresses: [host], wasLookedUp: false };
  }
  const isInternal = isInternalName(host);
  // Not looked up, because nobody may learn which internal names exist.
  if (isInternal && opened.length === 0) throw notPublic();
  const addresses = await lookUp(host).catch((error: NodeJS.ErrnoException) => {
    if (isInternal) throw notPublic();
    const reason = error.code ?? 'unknown';
    throw new OutboundRefused('dns_failed', `The host could not be resolved (${reason}).`);
  });
  const areAllowed = addresses.every((address) =>
    isInternal ? isOpened(address, opened) : isReceiver(address),
  );
  if (addresses.length === 0 || !areAllowed) throw notPublic();
  return { addresses: addresses.slice(0, MAX_ADDRESSES), wasLookedUp: true };
}

/**
 * Returns true for a public address of this machine. Its firewall does not apply to requests from
 * here, so only its web server may be called, which everyone can reach.
 */
function isOwn(text: string): boolean {
  const address = ipaddr.process(text).toString();
  const own = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  return own.some((entry) => ipaddr.process(entry.address).toString() === address);
}

function isInternalName(host: string): boolean {
  const name = host.toLowerCase().replace(/\.+$/, '');
  return !name.includes('.') || INTERNAL_NAMES.some((end) => `.${name}`.endsWith(`.${end}`));
}

function notPublic(): OutboundRefused {
  return new OutboundRefused('address_blocked', 'The URL leads to an address that is not public.');
}
