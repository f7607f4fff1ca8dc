/** Which addresses a merchant-given URL may lead to, and where it leads. */
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { parseUrl } from '../domain/url.ts';
import { askSystem } from './lookup.ts';
import type { HostLookup } from './lookup.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type Range = [Address, number];

/** Global unicast of IPv6 is 2000::/3; everything outside of it is special in one way or another. */
const IPV6_GLOBAL: Range = [ipaddr.parse('2000::'), 3];
/** Looks public, and is the way of Azure's virtual machines to their host. */
const AZURE_HOST = '168.63.129.16';
/** The middle of an IPv6 address whose last 32 bits are an IPv4 address (RFC 5214, ISATAP). */
const ISATAP = [0x0000, 0x5efe] as const;
/** Says that the IPv4 address of ISATAP is meant to be unique in the world; anybody can say so. */
const ISATAP_GLOBAL_BIT = 0x0200;

/**
 * Names that lead inside wherever they are asked for: RFC 6761, 7686, 8375 and 9476, the names that
 * RFC 6762 (appendix G) saw in use, those of clusters, and what clouds call their metadata. A name
 * without a dot is one too. Nobody receives at `arpa`, which has names for addresses.
 */
// prettier-ignore
const INSIDE_NAMES = [
  'localhost', 'localdomain', 'local', 'internal', 'intranet', 'private', 'corp', 'home', 'lan',
  'arpa', 'test', 'onion', 'alt', 'svc', 'cluster', 'consul', 'metadata.goog',
];
/** A name of labels that a name server can have (RFC 1035, 2.3.4, and the underscore of others). */
const HOST_NAME = /^(?=.{1,253}\.?$)(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}\.?$/;

/** Below this, ports belong to other services than HTTP, with the exception of its own two. */
const FIRST_USER_PORT = 1_024;
const HTTP_PORTS = new Set([80, 443]);
/**
 * Above it, these are other services' homes, some of which would take the lines of a request as
 * commands. First what no browser calls (Fetch standard, "bad port"), then databases, caches,
 * brokers, remote desktops and what controls machines.
 */
// prettier-ignore
const OTHER_SERVICES = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669,
  6679, 6697, 10080,
  1433, 1521, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 4222, 5432, 5671, 5672, 5900, 6379, 7233,
  9042, 9092, 9200, 9300, 10250, 11211, 27017, 27018, 27019,
]);

/** A name with more addresses is tried at the first of them. */
const MAX_ADDRESSES = 8;

/** Why a URL is not called. `address_blocked` also stands for a URL that no merchant may give. */
export class OutboundRefused extends Error {
  override name = 'OutboundRefused';
  readonly code: 'address_blocked' | 'dns_failed';
  constructor(code: 'address_blocked' | 'dns_failed', message: string) {
    super(message);
    this.code = code;
  }
}

/** Reads ranges such as `127.0.0.1/32`. Throws on one that is malformed. */
export function parseRanges(cidrs: readonly string[]): Range[] {
  return cidrs.map((cidr) => ipaddr.parseCIDR(cidr));
}

/** IPv4 inside IPv6 is judged as the IPv4 address it is. */
function plain(address: Address): Address {
  const mapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress();
  return mapped ? address.toIPv4Address() : address;
}

function within(address: Address, [network, bits]: Range): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

function isIsatap({ parts }: ipaddr.IPv6): boolean {
  const [, , , , high = 0, low] = parts;
  return (high & ~ISATAP_GLOBAL_BIT) === ISATAP[0] && low === ISATAP[1];
}

function isOpened(text: string, opened: readonly Range[]): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = plain(ipaddr.parse(text));
  return opened.some((range) => within(address, range));
}

/** Whether `text` is an address that everybody can reach, or one in an opened range. */
export function isAllowed(text: string, opened: readonly Range[]): boolean {
  if (!ipaddr.isValid(text)) return false;
  if (isOpened(text, opened)) return true;
  const address = plain(ipaddr.parse(text));
  if (address.range() !== 'unicast') return false;
  if (address instanceof ipaddr.IPv4) return address.toString() !== AZURE_HOST;
  return within(address, IPV6_GLOBAL) && !isIsatap(address);
}

/** Whether a receiver may listen there; the port that goes without saying is given as ''. */
function isReceiverPort(text: string): boolean {
  const port = Number(text);
  if (text === '' || HTTP_PORTS.has(port)) return true;
  return port >= FIRST_USER_PORT && !OTHER_SERVICES.has(port);
}

/** URLs lose these silently, or read them as something else than other programs do. */
const MISLEADING = /\p{Cc}|^\s|\s$|^[^?#]*\\/u;

/** The URL of a receiver. Throws `OutboundRefused` when it is none that a merchant may give. */
export function parseReceiver(text: string): URL {
  const url = MISLEADING.test(text) ? undefined : parseUrl(text);
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password) {
    throw new OutboundRefused('address_blocked', 'The URL must be http or https without userinfo.');
  }
  if (isIP(bareHost(url)) === 0 && !HOST_NAME.test(url.hostname)) {
    throw new OutboundRefused('address_blocked', 'The host is no name that could be resolved.');
  }
  if (!isReceiverPort(url.port)) {
    throw new OutboundRefused('address_blocked', `Port ${url.port} is not one for receivers.`);
  }
  return url;
}

/** Without the brackets of IPv6. */
function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

/** Where a URL leads; `wasAsked` tells whether its host is a name that had to be resolved. */
interface Resolved {
  readonly addresses: string[];
  readonly wasAsked: boolean;
}

/**
 * Resolves the host of `url` once. Every address it has must be allowed: a mixed answer is
 * refused whole. A name of the inside leads to opened ranges or nowhere. Throws `OutboundRefused`.
 */
export async function resolveReceiver(
  url: URL,
  opened: readonly Range[],
  ask: HostLookup = askSystem,
): Promise<Resolved> {
  const host = bareHost(url);
  const isOwnFine = url.port === '' || HTTP_PORTS.has(Number(url.port));
  const isReceiver = (address: string): boolean =>
    isAllowed(address, opened) && (isOwnFine || isOpened(address, opened) || !isOwn(address));
  if (isIP(host) !== 0) {
    if (!isReceiver(host)) throw notPublic();
    return { addresses: [host], wasAsked: false };
  }
  const isInside = isInsideName(host);
  // Not even asked for: what our own name servers know of the inside is nobody's business.
  if (isInside && opened.length === 0) throw notPublic();
  const addresses = await lookUp(host, ask).catch((error: unknown) => {
    throw isInside ? notPublic() : error;
  });
  const areFine = addresses.every((address) =>
    isInside ? isOpened(address, opened) : isReceiver(address),
  );
  if (addresses.length === 0 || !areFine) throw notPublic();
  return { addresses: addresses.slice(0, MAX_ADDRESSES), wasAsked: true };
}

/**
 * Whether it is a public address of this very machine. From here its firewall lets everybody in,
 * so that only what it shows the whole world, its web server, may be called.
 */
function isOwn(text: string): boolean {
  const address = plain(ipaddr.parse(text)).toString();
  const own = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  return own.some((entry) => plain(ipaddr.parse(entry.address)).toString() === address);
}

function isInsideName(host: string): boolean {
  const name = host.toLowerCase().replace(/\.+$/, '');
  return !name.includes('.') || INSIDE_NAMES.some((end) => `.${name}`.endsWith(`.${end}`));
}

function notPublic(): OutboundRefused {
  return new OutboundRefused('address_blocked', 'The URL leads to an address that is not public.');
}

async function lookUp(host: string, ask: HostLookup): Promise<readonly string[]> {
  try {
    return await ask(host);
  } catch (error) {
    const reason = (error as { code?: string }).code ?? 'unknown';
    throw new OutboundRefused('dns_failed', `The host could not be resolved (${reason}).`);
  }
}
