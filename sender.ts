/** Who sent a request, as far as limits and logs go by it. */
import ipaddr from 'ipaddr.js';

/**
 * Returns who counts as one sender: an IPv4 address, also when it is written as IPv6 or with a
 * port, or the /64 of an IPv6 address. A /64 is the least that anybody gets, and names no device.
 */
export function senderOf(ip: string): string {
  const bare = ip.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');
  if (!ipaddr.isValid(bare)) return 'unknown';
  const address = ipaddr.process(bare);
  if (address instanceof ipaddr.IPv4) return address.toString();
  const network = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
