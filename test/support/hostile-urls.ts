/**
 * URLs that a merchant may give and that we must never follow, each with its reason. All of them
 * are to be refused by what they say alone; names that have to be asked for are listed apart.
 */

interface Hostile {
  readonly url: string;
  readonly why: string;
  /** Leads to 127.0.0.1 or ::1, which the embedded mode opens. */
  readonly isLoopback: boolean;
}

type Hosts = readonly [why: string, hosts: readonly string[]];

/** Every way to write 127.0.0.1 and ::1 that a URL parser, a resolver or a browser has known. */
const LOOPBACK: readonly Hosts[] = [
  ['loopback as it is', ['127.0.0.1', '[::1]', '[0:0:0:0:0:0:0:1]', '[0000::0001]', '[::0.0.0.1]']],
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
  ['localhost with what names lose', ['local\u00ADhost', 'local\u200Bhost', 'localhost。']],
  [
    'loopback percent-encoded',
    ['%31%32%37.0.0.1', '127%2E0%2E0%2E1', '%6c%6f%63%61%6c%68%6f%73%74'],
  ],
  ['loopback percent-encoded full width', ['%EF%BC%91%EF%BC%92%EF%BC%97.0.0.1']],
  ['loopback mapped into IPv6', ['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::FFFF:7F00:0001]']],
  ['loopback mapped, written out', ['[0:0:0:0:0:ffff:127.0.0.1]', '[0::ffff:7f00:1]']],
];

const INSIDE: readonly Hosts[] = [
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
    'names of the inside',
    ['mongo', 'temporal', 'printer.local', 'shop.lan', 'nas.home', 'router.home.arpa'],
  ],
  [
    'names of the inside of companies',
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
  ['never given out', ['[4000::1]', '[1::1]', '[8000::1]', '[e000::1]', '[200::1]']],
  [
    'no host of any kind',
    ['256.256.256.256', '1.2.3.4.5', '127.0.0.1.1', '0x100000000', '[::1', '::1'],
  ],
  ['more that is no host', ['[127.0.0.1]', '[::g]', 'a b', 'a%00b', 'a<b', '127.0.0.1%00']],
];

/** Fine hosts in URLs that are not; `%p` stands for the port of a listener. */
const WHOLE: readonly (readonly [why: string, urls: readonly string[]])[] = [
  [
    'userinfo that looks like the host',
    ['http://8.8.8.8@127.0.0.1:%p/', 'http://8.8.8.8:80@[::1]:%p/'],
  ],
  [
    'userinfo',
    ['https://u@8.8.8.8/', 'https://u:p@8.8.8.8/', 'https://:p@8.8.8.8/', 'http://%40@8.8.8.8/'],
  ],
  ['files', ['file:///etc/passwd', 'file://127.0.0.1/etc/passwd', 'FILE:///etc/passwd', 'file:/x']],
  ['other protocols', ['ftp://127.0.0.1:%p/', 'gopher://127.0.0.1:%p/_x', 'dict://127.0.0.1:%p/']],
  [
    'other protocols still',
    ['ldap://127.0.0.1:%p/', 'tftp://127.0.0.1/x', 'ssh://127.0.0.1', 'jar:http://x!/'],
  ],
  [
    'sockets',
    ['ws://127.0.0.1:%p/', 'wss://127.0.0.1:%p/', 'unix:/var/run/docker.sock', 'http+unix://x/'],
  ],
  [
    'what is no address',
    ['data:text/plain,x', 'javascript:alert(1)', 'about:blank', 'mailto:a@shop.example'],
  ],
  ['blobs', ['blob:http://127.0.0.1:%p/x', 'view-source:http://127.0.0.1:%p/']],
  [
    'no host',
    ['http://', 'https://', 'http:///', 'http://:%p/', 'http://?x', 'http://#', 'http://.'],
  ],
  ['no URL', ['', ' ', '/', '//127.0.0.1:%p/', '127.0.0.1:%p', 'localhost', '?', '://127.0.0.1/']],
  [
    'backslashes',
    ['http:\\\\127.0.0.1:%p\\', 'http:/\\127.0.0.1:%p/', 'http://8.8.8.8\\@127.0.0.1:%p/'],
  ],
  ['backslashes in the way', ['http://127.0.0.1:%p\\@8.8.8.8/', 'http://8.8.8.8\\.shop.example/']],
  [
    'tabs and newlines',
    ['ht\ttp://127.0.0.1:%p/', 'http://127.0\n.0.1:%p/', 'http://8.8.8.8/\r\nHost: x'],
  ],
  ['tabs and newlines around', ['\thttp://8.8.8.8/', 'http://8.8.8.8/\n', '\u0000http://8.8.8.8/']],
  [
    'controls',
    [
      'http://8.8.8.8/\u0000',
      'http://8.8.8.8/\u007f',
      'http://8.8.8.8/\u0085',
      ' http://8.8.8.8/ ',
    ],
  ],
  ['a host behind other signs', ['http://8.8.8.8#@127.0.0.1:%p\t/']],
  [
    'ports that are none',
    ['http://8.8.8.8:0/', 'http://8.8.8.8:65536/', 'http://8.8.8.8:-1/', 'http://8.8.8.8:a/'],
  ],
];

/** The same, but a reader may take 127.0.0.1 for the host, and be right. */
const WHOLE_LOOPBACK: typeof WHOLE = [
  ['slashes left out', ['http:127.0.0.1:%p/', 'http:/127.0.0.1:%p/', 'HTTP:127.1:%p']],
  ['slashes doubled', ['http:///127.0.0.1:%p/', 'http:////127.0.0.1:%p/']],
  [
    'a fine host behind the end of one',
    ['http://127.0.0.1:%p?@8.8.8.8/', 'http://[::1]:%p#@a.am/'],
  ],
  ['no user in userinfo', ['http://@127.0.0.1:%p/', 'http://:@127.0.0.1:%p/']],
];

const PORTS: readonly (readonly [why: string, ports: readonly number[]])[] = [
  ['mail', [25, 465, 587, 110, 143, 993, 995, 4190]],
  ['shells and files', [20, 21, 22, 23, 69, 139, 445, 873, 2049]],
  ['names, directories and time', [53, 123, 389, 636]],
  ['databases', [1433, 1521, 3306, 5432, 9042, 27017]],
  ['caches and brokers', [4222, 5672, 6379, 9092, 11211]],
  ['control of machines', [2375, 2376, 2379, 3389, 5900, 7233, 10250]],
  ['chat and telephony', [5060, 5061, 6667, 6697]],
  ['nothing of HTTP', [1, 7, 9, 19, 81, 1023, 6000, 10080]],
];

/** The table; what leads to this machine leads to `port`, where a listener counts. */
export function hostileUrls(port: number): Hostile[] {
  const ofHosts = (rows: readonly Hosts[], isLoopback: boolean): Hostile[] =>
    rows.flatMap(([why, hosts]) =>
      hosts.map((host) => ({ url: `http://${host}:${port}/hooks`, why, isLoopback })),
    );
  const whole = (rows: typeof WHOLE, isLoopback: boolean): Hostile[] =>
    rows.flatMap(([why, urls]) =>
      urls.map((url) => ({ url: url.replace('%p', String(port)), why, isLoopback })),
    );
  const odd = PORTS.flatMap(([why, ports]) =>
    ports.map((one) => ({ url: `https://8.8.8.8:${one}/`, why, isLoopback: false })),
  );
  return [
    ...ofHosts(LOOPBACK, true),
    ...ofHosts(INSIDE, false),
    ...whole(WHOLE, false),
    ...whole(WHOLE_LOOPBACK, true),
    ...odd,
  ];
}

/** Names that look like any other and lead inside, with all that a resolver says of each. */
export const HOSTILE_NAMES: readonly (readonly [why: string, answers: readonly string[]])[] = [
  ['loopback', ['127.0.0.1']],
  ['loopback of IPv6', ['::1']],
  ['this machine in another spelling', ['0.0.0.0']],
  ['private', ['10.0.0.1']],
  ['metadata', ['169.254.169.254']],
  ['a public address first, a private one after it', ['8.8.8.8', '10.0.0.1']],
  ['a private address first, a public one after it', ['127.0.0.1', '8.8.8.8']],
  ['public IPv4 and private IPv6', ['8.8.8.8', '::1']],
  ['public IPv6 and private IPv4', ['2606:4700::1', '127.0.0.1']],
  ['many public addresses and loopback', [...Array<string>(40).fill('8.8.8.8'), '127.0.0.1']],
  ['IPv4 mapped into IPv6', ['::ffff:127.0.0.1']],
  ['IPv4 mapped into IPv6, in hex', ['::ffff:7f00:1']],
  ['NAT64', ['64:ff9b::7f00:1']],
  ['6to4', ['2002:7f00:1::']],
  ['link-local with a zone', ['fe80::1%lo']],
  ['no address at all', []],
  ['what is no address', ['localhost']],
  ['a number that a socket reads as an address', ['2130706433']],
];
