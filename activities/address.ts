/** Which addresses a merchant-given URL may lead to, and where it leads. */
import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type Range = [Address, number];

/** Global unicast of IPv6 is 2000::/3; everything outside of it is special in one way or another. */
const IPV6_GLOBAL: Range = [ipaddr.parse('2000::'), 3];

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

/** Whether `text` is an address that everybody can reach, or one in an opened range. */
export function isAllowed(text: string, opened: readonly Range[]): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = plain(ipaddr.parse(text));
  if (opened.some((range) => within(address, range))) return true;
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || within(address, IPV6_GLOBAL);
}

/** Not by `URL.canParse`: once V8 has compiled its caller it refuses `ü` in hosts (Node 20, tried). */
function parse(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** The URL of a receiver. Throws `OutboundRefused` when it is none that a merchant may give. */
export function parseReceiver(text: string): URL {
  const url = parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password) {
    throw new OutboundRefused('address_blocked', 'The URL must be http or https without userinfo.');
  }
  return url;
}

/** Where a URL leads; `wasAsked` tells whether its host is a name that had to be resolved. */
export interface Resolved {
  readonly addresses: string[];
  readonly wasAsked: boolean;
}

/**
 * Resolves the host of `url` once. Every address it has must be allowed: a mixed answer is
 * refused whole. Throws `OutboundRefused`.
 */
export async function resolveReceiver(url: URL, opened: readonly Range[]): Promise<Resolved> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const wasAsked = !ipaddr.isValid(host);
  const addresses = wasAsked ? await lookUp(host) : [host];
  if (addresses.length === 0 || !addresses.every((address) => isAllowed(address, opened))) {
    throw new OutboundRefused('address_blocked', 'The URL leads to an address that is not public.');
  }
  return { addresses, wasAsked };
}

async function lookUp(host: string): Promise<string[]> {
  try {
    const found = await lookup(host, { all: true, verbatim: true });
    return found.map((entry) => entry.address);
  } catch (error) {
    const reason = (error as { code?: string }).code ?? 'unknown';
    throw new OutboundRefused('dns_failed', `The host could not be resolved (${reason}).`);
  }
}
