/** Hosts that are internal addresses or invalid, in every known spelling. */

export type Hosts = readonly [why: string, hosts: readonly string[]];

const ZEROS = '0'.repeat(40);

/** Every way to write 127.0.0.1 and ::1 that some URL parser, resolver or browser accepts. */
export const LOOPBACK: readonly Hosts[] = [
  ['plain loopback', ['127.0.0.1', '[::1]', '[0:0:0:0:0:0:0:1]', '[0000::0001]', '[::0.0.0.1]']],
  ['loopback by name', ['localhost', 'localhost.', 'LOCALHOST', 'LocalHost', 'a.localhost']],
  ['loopback by name, deeper', ['localhost.localdomain', 'x.y.localhost.', 'local%68ost']],
  ['loopback with parts left out', ['127.1', '127.0.1', '127.1.', '127.0x1', '127.01']],
  ['loopback in hex', ['0x7f.1', '0x7F.0.0.1', '0x7f.0x0.0x0.0x1', '0x7f000001', '0X7F000001']],
  ['loopback in octal', ['0177.0.0.1', '0177.1', '017700000001', '0177.0.0.01', '00000177.0.0.1']],
  ['loopback as one number', ['2130706433', '2130706433.', '0x000000007f000001']],
  ['loopback in mixed radices', ['0x7f.0.0.01', '0177.0x0.0.1', '127.0.0x0.1', '0177.0x1']],
  ['loopback with a dot at the end', ['127.0.0.1.', '0x7f.1.', '0177.0.0.1.']],
  ['loopback in full width', ['１２７.０.０.１', '127。0。0。1', '127．0．0．1', '127｡0｡0｡1']],
  ['loopback in circled and styled digits', ['①②⑦.⓪.⓪.①', '𝟏𝟐𝟕.𝟎.𝟎.𝟏', '𝟙𝟚𝟟.1', '¹²⁷.⁰.⁰.¹']],
  ['localhost in lookalikes', ['ⓛⓞⓒⓐⓛⓗⓞⓢⓣ', 'ｌｏｃａｌｈｏｓｔ', '𝓵𝓸𝓬𝓪𝓵𝓱𝓸𝓼𝓽', 'LOCALHO\u017FT']],
  [
    'localhost with characters that names drop',
    ['local\u00ADhost', 'local\u200Bhost', 'localhost。'],
  ],
  [
    'loopback percent-encoded',
    ['%31%32%37.0.0.1', '127%2E0%2E0%2E1', '%6c%6f%63%61%6c%68%6f%73%74'],
  ],
  ['loopback percent-encoded full width', ['%EF%BC%91%EF%BC%92%EF%BC%97.0.0.1']],
  ['loopback mapped into IPv6', ['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::FFFF:7F00:0001]']],
  ['loopback mapped, written out', ['[0:0:0:0:0:ffff:127.0.0.1]', '[0::ffff:7f00:1]']],
  ['loopback with many zeros', [`${ZEROS}177.0.0.1`, `127.0.0.${ZEROS}1`, `0x${ZEROS}7f.1`]],
  ['loopback in a mix of widths', ['1２7.0.0.1', '①②⑦｡⓪｡⓪｡①', '127%E3%80%820%E3%80%820%E3%80%821']],
  [
    'loopback with characters that names drop',
    ['\u00AD127.0.0.1', '127.\u200B0.0.1', '\uFEFF127.0.0.1'],
  ],
  ['loopback with a joiner', ['127.0\u2060.0.1', '127.0.0.1\u200D', '1\u034F27.0.0.1']],
  ['loopback encoded twice', ['％３１２7.0.0.1', '%EF%BC%8527.0.0.1', '%2531%2532%2537.0.0.1']],
  ['localhost in more lookalikes', ['ℓocalhost', 'ˡᵒᶜᵃˡʰᵒˢᵗ', 'loc\u0430lhost', 'loca\u0301lhost']],
  [
    'localhost with punctuation',
    ['localhost%2e', 'localhost..', 'localhost%00', 'localhost％２ｅ', 'a.localhost．'],
  ],
  [
    'localhost by its other names',
    ['ip6-localhost', 'ip6-loopback', 'x.localdomain', 'broadcasthost'],
  ],
];

export const INSIDE: readonly Hosts[] = [
  ['the rest of 127/8', ['127.0.0.2', '127.255.255.254', '127.0.0.0', '127.2', '2130706434']],
  ['0.0.0.0/8', ['0.0.0.0', '0', '0x0', '00', '0.1.2.3', '0.255.255.255', '[::]', '[::0]']],
  ['10/8', ['10.0.0.1', '10.255.255.255', '0xa.1', '012.0.0.1', '167772161', '0x0a000001', '10.1']],
  ['172.16/12', ['172.16.0.1', '172.31.255.255', '0xac.0x10.0.1', '2886729729', '0254.020.1']],
  ['192.168/16', ['192.168.0.1', '192.168.255.255', '0xc0a80001', '3232235521', '0300.0250.1']],
  ['private in full width', ['１９２.１６８.１.１', '１０.0.0.1', '%31%30.0.0.1']],
  [
    'link-local',
    ['169.254.0.1', '169.254.255.255', '[fe80::1]', '[febf::ffff]', '[fe80::a9fe:a9fe]'],
  ],
  ['link-local with a zone', ['[fe80::1%25eth0]', '[fe80::1%eth0]', '[fe80::1%251]']],
  ['carrier-grade NAT', ['100.64.0.1', '100.127.255.255', '1681915905', '0x64400001']],
  ['metadata of most clouds', ['169.254.169.254', '2852039166', '0xa9fea9fe', '025177524776']],
  ['metadata of most clouds, mixed', ['0251.0376.0251.0376', '169.254.43518', '0xa9.0xfe.43518']],
  [
    'metadata inside IPv6',
    ['[::ffff:169.254.169.254]', '[::ffff:a9fe:a9fe]', '[64:ff9b::a9fe:a9fe]'],
  ],
  ['metadata of AWS', ['[fd00:ec2::254]', '169.254.170.2', '[fd00:ec2::23]', '[fd00:ec2::253]']],
  ['metadata of others', ['100.100.100.200', '192.0.0.192', '168.63.129.16', '[fd20:ce::254]']],
  ['metadata by name', ['metadata.google.internal', 'metadata.google.internal.', 'metadata.goog']],
  ['metadata by short name', ['metadata', 'instance-data', 'instance-data.ec2.internal']],
  [
    'internal names',
    ['mongo', 'temporal', 'printer.local', 'shop.lan', 'nas.home', 'router.home.arpa'],
  ],
  [
    'internal names of companies',
    ['git.corp', 'wiki.intranet', 'db.private', 'a.svc.cluster.local'],
  ],
  ['multicast', ['224.0.0.1', '239.255.255.250', '[ff02::1]', '[ff05::2]', '[ff0e::1]']],
  ['broadcast', ['255.255.255.255', '4294967295', '0xffffffff', '[::ffff:255.255.255.255]']],
  ['documentation', ['192.0.2.1', '198.51.100.1', '203.0.113.255', '[2001:db8::1]', '[3fff::1]']],
  ['benchmarking', ['198.18.0.1', '198.19.255.255', '[2001:2::1]']],
  ['reserved', ['240.0.0.1', '250.1.2.3', '192.0.0.8', '192.88.99.1']],
  ['unique local', ['[fc00::1]', '[fd12:3456:789a::1]', '[fdff:ffff::1]']],
  ['site-local', ['[fec0::1]', '[feff::1]']],
  [
    'private mapped into IPv6',
    ['[::ffff:10.0.0.1]', '[::ffff:c0a8:1]', '[::ffff:ac10:1]', '[::ffff:0:0]'],
  ],
  [
    'IPv4-compatible',
    ['[::127.0.0.1]', '[::7f00:1]', '[::10.0.0.1]', '[::192.168.0.1]', '[::8.8.8.8]'],
  ],
  ['IPv4-translated', ['[::ffff:0:127.0.0.1]', '[::ffff:0:a00:1]']],
  [
    'NAT64',
    ['[64:ff9b::127.0.0.1]', '[64:ff9b::7f00:1]', '[64:ff9b::10.0.0.1]', '[64:ff9b::8.8.8.8]'],
  ],
  ['NAT64 of a local prefix', ['[64:ff9b:1::a00:1]', '[64:ff9b:1:ffff::127.0.0.1]']],
  ['6to4', ['[2002:7f00:1::]', '[2002:a00:1::1]', '[2002:c0a8:101::1]', '[2002:a9fe:a9fe::]']],
  ['Teredo', ['[2001::1]', '[2001:0:7f00:1::]', '[2001:0:4136:e378:8000:63bf:80ff:fffe]']],
  ['ISATAP', ['[2606:4700::5efe:127.0.0.1]', '[2606:4700::200:5efe:a00:1]', '[fe80::5efe:7f00:1]']],
  ['discard-only', ['[100::1]', '[100:0:0:1::1]']],
  ['ORCHID and other protocols', ['[2001:10::1]', '[2001:20::1]', '[2001:30::1]', '[2001:1::1]']],
  ['segment routing', ['[5f00::1]']],
  ['never assigned', ['[4000::1]', '[1::1]', '[8000::1]', '[e000::1]', '[200::1]']],
  ['no valid host', ['256.256.256.256', '1.2.3.4.5', '127.0.0.1.1', '0x100000000', '[::1', '::1']],
  ['more invalid hosts', ['[127.0.0.1]', '[::g]', 'a b', 'a%00b', 'a<b', '127.0.0.1%00']],
  ['zones', ['[::1%lo]', '[::1%25lo]', '[::ffff:127.0.0.1%25lo]', '[2606:4700::1%25eth0]']],
  [
    'IPv4-translated, in hex',
    ['[::ffff:0:7f00:1]', '[0:0:0:0:ffff:0:7f00:1]', '[::ffff:0:a9fe:a9fe]'],
  ],
  [
    'nearly mapped',
    ['[::fffe:7f00:1]', '[::1:0:7f00:1]', '[::ffff:127.1]', '[::ffff:0x7f.1]', '[::2]'],
  ],
  [
    'NAT64 with bits in between',
    ['[64:ff9b::1:7f00:1]', '[64:ff9b:1:2:3:4:a9fe:a9fe]', '[64:ff9b:ffff::1]'],
  ],
  ['6to4, deeper', ['[2002::1]', '[2002:7f00:1::7f00:1]', '[2002:ac10:1:1::]', '[2002:6440:1::]']],
  ['Teredo, deeper', ['[2001:0:a9fe:a9fe::]', '[2001::80ff:fffe]', '[2001:0:ffff::ffff]']],
  [
    'ISATAP, deeper',
    ['[2606:4700::5EFE:a9fe:a9fe]', '[2000::5efe:808:808]', '[2606:4700:1:2:200:5efe:7f00:1]'],
  ],
  [
    'for protocols',
    ['[2001:1::3]', '[2001:3::1]', '[2001:4:112::1]', '[2001:1ff:ffff::1]', '192.0.0.170'],
  ],
  [
    'for name servers and multicast',
    ['[2620:4f:8000::1]', '192.31.196.1', '192.52.193.1', '192.175.48.1'],
  ],
  [
    'edges of IPv4',
    ['192.0.0.0', '192.0.0.255', '192.88.99.0', '198.18.0.0', '224.0.0.0', '240.0.0.0'],
  ],
  [
    'other edges of IPv4',
    ['10.0.0.0', '172.16.0.0', '192.168.0.0', '100.64.0.0', '255.255.255.254'],
  ],
  [
    'edges of IPv6',
    ['[fdff::]', '[fe7f::1]', '[fe00::1]', '[5f00:ffff::1]', '[3fff:fff::1]', '[1fff::1]'],
  ],
  ['clusters', ['kubernetes.default.svc', 'api.kube-system.svc.cluster', 'vault.service.consul']],
  [
    'hosts of containers',
    ['host.docker.internal', 'host.containers.internal', 'gateway.docker.internal'],
  ],
  [
    'names outside the DNS',
    ['a.onion', 'a.alt', 'a.test', '1.0.0.127.in-addr.arpa', 'ipv4only.arpa'],
  ],
  [
    'internal names in lookalikes',
    ['nas.ＨＯＭＥ', 'shop.inter\u200Cnal', 'shop.lan。', 'git.co\u00ADrp'],
  ],
  [
    'impossible names',
    ['127.0.0.1..', '127.0.0.1.%2e', 'a..example.com', 'shop.example..', '.shop.example'],
  ],
  ['names that are too long', [`${'a'.repeat(64)}.example`, `${'a.'.repeat(126)}aa`]],
  [
    'shell characters',
    ['a$(id).example', 'a`id`.example', 'a;b.example', "a'b.example", 'a&b.example'],
  ],
  [
    'list and pattern characters',
    ['*.example', 'a,b.example', 'a(b).example', 'a{b}.example', 'a"b.example'],
  ],
  [
    'numbers too large',
    ['127.0.65536', '127.16777216', '4294967296', '1.2.3.0x100', '0x1ffffffff'],
  ],
  [
    'numbers at the end',
    ['shop.0x7f', 'shop.example.1', 'shop.example.0x', '1.2.3.08', '0b1111111'],
  ],
  [
    'plus and minus before numbers',
    ['+127.0.0.1', '-127.0.0.1', '127.0.0.1,8.8.8.8', '127.0.0.1;8.8.8.8'],
  ],
];
