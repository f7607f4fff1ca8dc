import { describe, expect, it } from 'vitest';
import {
  OutboundRefused,
  isAllowed,
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

describe('isAllowed', () => {
  it.each(BLOCKED)('blocks %s', (_, addresses) => {
    const allowed = addresses.filter((address) => isAllowed(address, []));
    expect(allowed).toEqual([]);
  });

  it.each(['', 'localhost', '127.0.0.1.nip.io', '256.1.1.1', '::g'])(
    'blocks what is no address: "%s"',
    (text) => expect(isAllowed(text, [])).toBe(false),
  );

  it.each(PUBLIC)('allows %s', (address) => expect(isAllowed(address, [])).toBe(true));

  it('allows an opened range, and nothing beside it', () => {
    const opened = parseRanges(['127.0.0.1/32', '10.1.0.0/16', '::1/128']);
    for (const address of ['127.0.0.1', '10.1.255.1', '::1', '::ffff:127.0.0.1']) {
      expect(isAllowed(address, opened)).toBe(true);
    }
    for (const address of ['127.0.0.2', '10.2.0.1', '::2', '::ffff:127.0.0.2']) {
      expect(isAllowed(address, opened)).toBe(false);
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

  it.each([80, 443, 1024, 3000, 8000, 8080, 8443, 9000, 65535])('takes port %i', (port) => {
    expect(parseReceiver(`https://shop.example:${port}/`).hostname).toBe('shop.example');
    expect(parseReceiver(`http://127.0.0.1:${port}/`).hostname).toBe('127.0.0.1');
  });

  it.each(['\thttp://shop.example/', 'http://shop.example/\n', 'http:\\\\shop.example\\x'])(
    'refuses what reads as another URL than it is: %j',
    (url) => expect(() => parseReceiver(url)).toThrow(OutboundRefused),
  );

  it.each([
    'a_b.shop.example',
    'a-.shop.example',
    'xn--e1afmkfd.example',
    'shop.example.',
    `${'a'.repeat(63)}.example`,
  ])('takes the name %s', (host) => {
    expect(parseReceiver(`https://${host}/`).hostname).toBe(host);
  });

  it('takes a backslash where it means nothing', () => {
    expect(parseReceiver('http://shop.example/?x=a\\b').search).toBe('?x=a\\b');
  });

  it.each(['http://shop.example/hooks?x=1', 'https://shop.example:8443/'])('takes %s', (url) => {
    expect(parseReceiver(url).href).toBe(url);
  });
});

/** Other ways to write an address that is blocked; none of them needs a look-up by name. */
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

  it('blocks a name when only one of its addresses is opened', async () => {
    const url = parseReceiver('http://localhost/');
    const opened = parseRanges(['192.0.2.0/24']);
    await expect(resolveReceiver(url, opened)).rejects.toMatchObject({ code: 'address_blocked' });
  });

  it.each(['mongo', 'shop.local', 'a.b.internal', 'db.corp.', 'METADATA.google.internal'])(
    'does not even ask for a name of the inside: %s',
    async (host) => {
      const asked: string[] = [];
      const ask = async (name: string) => [asked.push(name).toString()];
      const resolved = resolveReceiver(parseReceiver(`http://${host}/`), [], ask);
      await expect(resolved).rejects.toMatchObject({ code: 'address_blocked' });
      expect(asked).toEqual([]);
    },
  );

  it('lets a name of the inside lead to what was opened, and to nothing else', async () => {
    const opened = parseRanges(['10.0.0.0/8']);
    const lead = async (...answers: string[]) =>
      resolveReceiver(parseReceiver('http://shop.internal/'), opened, async () => answers);
    expect((await lead('10.1.2.3')).addresses).toEqual(['10.1.2.3']);
    for (const answers of [['8.8.8.8'], ['10.1.2.3', '8.8.8.8'], ['192.168.0.1'], []]) {
      await expect(lead(...answers)).rejects.toMatchObject({ code: 'address_blocked' });
    }
  });

  it('checks all addresses of a name, and answers the first few', async () => {
    const many = Array.from({ length: 100 }, (_, index) => `8.8.8.${index}`);
    const url = parseReceiver('http://shop.example/');
    const { addresses } = await resolveReceiver(url, [], async () => many);
    expect(addresses).toEqual(many.slice(0, 8));
    const mixed = resolveReceiver(url, [], async () => [...many, '10.0.0.1']);
    await expect(mixed).rejects.toMatchObject({ code: 'address_blocked' });
  });

  it('says when a name is unknown', async () => {
    const url = parseReceiver('http://no-such-host.invalid/');
    await expect(resolveReceiver(url, [])).rejects.toMatchObject({ code: 'dns_failed' });
  });

  it('answers a literal address as it is, without asking anybody', async () => {
    const plain = await resolveReceiver(parseReceiver('http://8.8.8.8/'), []);
    expect(plain).toEqual({ addresses: ['8.8.8.8'], wasAsked: false });
    const { addresses } = await resolveReceiver(parseReceiver('http://[2606:4700::1]/'), []);
    expect(addresses).toEqual(['2606:4700::1']);
  });
});
