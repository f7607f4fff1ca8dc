import { describe, expect, it } from 'vitest';
import {
  OutboundRefused,
  parseRanges,
  parseReceiver,
  resolveReceiver,
} from '../../outbound/address.ts';

const BLOCKED: [string, string[]][] = [
  ['this host', ['0.0.0.0', '0.1.2.3', '::']],
  ['loopback', ['127.0.0.1', '127.255.255.254', '::1']],
  ['private', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd12::1']],
  ['link-local', ['169.254.0.1', 'fe80::1', 'febf::1']],
  ['metadata services', ['169.254.169.254', '169.254.170.2', '100.100.100.200', 'fd00:ec2::254']],
  ['carrier-grade NAT', ['100.64.0.1', '100.127.255.255']],
  ['multicast', ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1']],
  ['broadcast and reserved', ['255.255.255.255', '240.0.0.1', '192.0.0.8', '100::1']],
  ['documentation', ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1']],
  ['benchmarks', ['198.18.0.1', '198.19.255.255', '2001:2::1']],
  ['IPv4 inside IPv6', ['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:a9fe:a9fe', '::7f00:1']],
  ['NAT64', ['64:ff9b::7f00:1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::a00:1']],
  ['6to4 and Teredo', ['2002:7f00:1::', '2002:a9fe:a9fe::1', '2001::1', '2001:0:a00:1::']],
  ['site-local', ['fec0::1']],
];

const PUBLIC = ['8.8.8.8', '1.1.1.1', '93.184.215.14', '172.32.0.1', '100.128.0.1', '2606:4700::1'];

/** Returns true if a name with that address may be called. */
async function isAllowed(address: string, opened = parseRanges([])): Promise<boolean> {
  const resolved = resolveReceiver(parseReceiver('http://shop.example/'), opened, async () => [
    address,
  ]);
  return resolved.then(
    ({ addresses }) => addresses.includes(address),
    (error: OutboundRefused) => (error.code === 'address_blocked' ? false : Promise.reject(error)),
  );
}

describe('the addresses of a receiver', () => {
  it.each(BLOCKED)('exclude %s', async (_, addresses) => {
    for (const address of addresses)
      expect([address, await isAllowed(address)]).toEqual([address, false]);
  });

  it.each(['', 'localhost', '127.0.0.1.nip.io', '256.1.1.1', '::g'])(
    'exclude the malformed "%s"',
    async (text) => expect(await isAllowed(text)).toBe(false),
  );

  it.each(PUBLIC)('include %s', async (address) => expect(await isAllowed(address)).toBe(true));

  it('include opened ranges, and no neighbours of them', async () => {
    const opened = parseRanges(['127.0.0.1/32', '10.1.0.0/16', '::1/128']);
    for (const address of ['127.0.0.1', '10.1.255.1', '::1', '::ffff:127.0.0.1']) {
      expect(await isAllowed(address, opened)).toBe(true);
    }
    for (const address of ['127.0.0.2', '10.2.0.1', '::2', '::ffff:127.0.0.2']) {
      expect(await isAllowed(address, opened)).toBe(false);
    }
  });
});

describe('parseReceiver', () => {
  it.each([
    'ftp://shop.example/',
    'file:///etc/passwd',
    'gopher://shop.example/',
    'data:text/plain,x',
    '//shop.example/',
    'shop.example',
    'http://',
    'http://[::1',
    'http://user@shop.example/',
    'http://user:secret@shop.example/',
    'http://:secret@shop.example/',
    'http://8.8.8.8@127.0.0.1/',
  ])('refuses %s', (url) => expect(() => parseReceiver(url)).toThrow(OutboundRefused));

  it.each([0, 22, 25, 81, 1023, 3306, 6379, 6667, 10080, 27017])('refuses port %i', (port) => {
    expect(() => parseReceiver(`http://shop.example:${port}/`)).toThrow(OutboundRefused);
  });

  it.each([80, 443, 1024, 3000, 8000, 8080, 8443, 9000, 65535])('accepts port %i', (port) => {
    expect(parseReceiver(`https://shop.example:${port}/`).hostname).toBe('shop.example');
    expect(parseReceiver(`http://127.0.0.1:${port}/`).hostname).toBe('127.0.0.1');
  });

  it.each(['\thttp://shop.example/', 'http://shop.example/\n', 'http:\\\\shop.example\\x'])(
    'refuses the misleading URL %j',
    (url) => expect(() => parseReceiver(url)).toThrow(OutboundRefused),
  );

  it.each([
    'a_b.shop.example',
    'a-.shop.example',
    'xn--e1afmkfd.example',
    'shop.example.',
    `${'a'.repeat(63)}.example`,
  ])('accepts the name %s', (host) => {
    expect(parseReceiver(`https://${host}/`).hostname).toBe(host);
  });

  it('accepts a backslash in the query', () => {
    expect(parseReceiver('http://shop.example/?x=a\\b').search).toBe('?x=a\\b');
  });

  it.each(['http://shop.example/hooks?x=1', 'https://shop.example:8443/'])('accepts %s', (url) => {
    expect(parseReceiver(url).href).toBe(url);
  });
});

/** Unusual spellings of blocked addresses. None of them needs a name lookup. */
const SPELLINGS = [
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '017700000001',
  '0177.0.0.1',
  '127.1',
  '127.0.0.1.',
  '%31%32%37.0.0.1',
  '１２７.０.０.１',
  '127。0。0。1',
  '[::ffff:7f00:1]',
  '[::ffff:127.0.0.1]',
  '[0:0:0:0:0:0:0:1]',
  '[64:ff9b::7f00:1]',
  '2852039166',
  '0xa9fea9fe',
  '0',
];

describe('resolveReceiver', () => {
  it.each(SPELLINGS)('blocks http://%s/', async (host) => {
    const url = parseReceiver(`http://${host}/`);
    await expect(resolveReceiver(url, [])).rejects.toMatchObject({ code: 'address_blocked' });
  });

  it.each(['localhost', 'LOCALHOST', 'localhost.'])('blocks the name %s', async (host) => {
    const url = parseReceiver(`http://${host}/`);
    await expect(resolveReceiver(url, [])).rejects.toBeInstanceOf(OutboundRefused);
  });

  it('blocks a name if only one of its addresses is opened', async () => {
    const url = parseReceiver('http://localhost/');
    const opened = parseRanges(['192.0.2.0/24']);
    await expect(resolveReceiver(url, opened)).rejects.toMatchObject({ code: 'address_blocked' });
  });

  it.each(['mongo', 'shop.local', 'a.b.internal', 'db.corp.', 'METADATA.google.internal'])(
    'does not look up the internal name %s',
    async (host) => {
      const lookedUp: string[] = [];
      const lookUp = async (name: string) => [lookedUp.push(name).toString()];
      const resolved = resolveReceiver(parseReceiver(`http://${host}/`), [], lookUp);
      await expect(resolved).rejects.toMatchObject({ code: 'address_blocked' });
      expect(lookedUp).toEqual([]);
    },
  );

  it('allows an internal name only in opened ranges', async () => {
    const opened = parseRanges(['10.0.0.0/8']);
    const resolve = async (...addresses: string[]) =>
      resolveReceiver(parseReceiver('http://shop.internal/'), opened, async () => addresses);
    expect((await resolve('10.1.2.3')).addresses).toEqual(['10.1.2.3']);
    for (const addresses of [['8.8.8.8'], ['10.1.2.3', '8.8.8.8'], ['192.168.0.1'], []]) {
      await expect(resolve(...addresses)).rejects.toMatchObject({ code: 'address_blocked' });
    }
  });

  it('checks all addresses of a name, and returns the first 8', async () => {
    const many = Array.from({ length: 100 }, (_, index) => `8.8.8.${index}`);
    const url = parseReceiver('http://shop.example/');
    const { addresses } = await resolveReceiver(url, [], async () => many);
    expect(addresses).toEqual(many.slice(0, 8));
    const mixed = resolveReceiver(url, [], async () => [...many, '10.0.0.1']);
    await expect(mixed).rejects.toMatchObject({ code: 'address_blocked' });
  });

  it('refuses an unknown name with dns_failed', async () => {
    const url = parseReceiver('http://no-such-host.invalid/');
    await expect(resolveReceiver(url, [])).rejects.toMatchObject({ code: 'dns_failed' });
  });

  it('returns a literal address without a lookup', async () => {
    const plain = await resolveReceiver(parseReceiver('http://8.8.8.8/'), []);
    expect(plain).toEqual({ addresses: ['8.8.8.8'], wasLookedUp: false });
    const { addresses } = await resolveReceiver(parseReceiver('http://[2606:4700::1]/'), []);
    expect(addresses).toEqual(['2606:4700::1']);
  });
});
