/**
 * URLs that a merchant may send and that we must never request, each with the reason. All of them
 * must be refused without a name lookup. Names that need a lookup are in hostile-names.ts.
 */

import { INSIDE, LOOPBACK } from './hostile-hosts.ts';
import type { Hosts } from './hostile-hosts.ts';

interface Hostile {
  readonly url: string;
  readonly why: string;
  /** True if it leads to 127.0.0.1 or ::1, which the embedded mode opens. */
  readonly isLoopback: boolean;
}

/** Forbidden URLs with allowed hosts. `%p` is the port of a listener. */
const WHOLE: readonly (readonly [why: string, urls: readonly string[]])[] = [
  [
    'userinfo that looks like the host',
    ['http://8.8.8.8@127.0.0.1:%p/', 'http://8.8.8.8:80@[::1]:%p/'],
  ],
  [
    'userinfo',
    ['https://u@8.8.8.8/', 'https://u:p@8.8.8.8/', 'https://:p@8.8.8.8/', 'http://%40@8.8.8.8/'],
  ],
  [
    'userinfo with special characters',
    [
      'http://8.8.8.8%2f@127.0.0.1:%p/',
      'http://127.0.0.1:%p／@8.8.8.8/',
      'http://8.8.8.8%00@[::1]/',
    ],
  ],
  ['files', ['file:///etc/passwd', 'file://127.0.0.1/etc/passwd', 'FILE:///etc/passwd', 'file:/x']],
  ['other protocols', ['ftp://127.0.0.1:%p/', 'gopher://127.0.0.1:%p/_x', 'dict://127.0.0.1:%p/']],
  [
    'more protocols',
    ['ldap://127.0.0.1:%p/', 'tftp://127.0.0.1/x', 'ssh://127.0.0.1', 'jar:http://x!/'],
  ],
  [
    'sockets',
    ['ws://127.0.0.1:%p/', 'wss://127.0.0.1:%p/', 'unix:/var/run/docker.sock', 'http+unix://x/'],
  ],
  [
    'schemes without a host',
    ['data:text/plain,x', 'javascript:alert(1)', 'about:blank', 'mailto:a@shop.example'],
  ],
  ['blobs', ['blob:http://127.0.0.1:%p/x', 'view-source:http://127.0.0.1:%p/']],
  [
    'no host',
    ['http://', 'https://', 'http:///', 'http://:%p/', 'http://?x', 'http://#', 'http://.'],
  ],
  [
    'invalid URLs',
    ['', ' ', '/', '//127.0.0.1:%p/', '127.0.0.1:%p', 'localhost', '?', '://127.0.0.1/'],
  ],
  [
    'backslashes',
    ['http:\\\\127.0.0.1:%p\\', 'http:/\\127.0.0.1:%p/', 'http://8.8.8.8\\@127.0.0.1:%p/'],
  ],
  ['backslashes in the host', ['http://127.0.0.1:%p\\@8.8.8.8/', 'http://8.8.8.8\\.shop.example/']],
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
  ['a host after other characters', ['http://8.8.8.8#@127.0.0.1:%p\t/']],
  [
    'schemes that look like HTTP',
    ['httpſ://8.8.8.8/', 'httpx://8.8.8.8/', 'http+unix://8.8.8.8/', 'h2c://8.8.8.8/'],
  ],
  [
    'schemes of libraries',
    ['netdoc:///etc/passwd', 'php://input', 'expect://id', 'phar:///x', 'feed:http://8.8.8.8/'],
  ],
  [
    'ports in unusual notation',
    ['http://8.8.8.8:00022/', 'http://8.8.8.8:0x50/', 'http://8.8.8.8:+80/'],
  ],
  [
    'ports that are not numbers',
    [
      'http://8.8.8.8:８０/',
      'http://8.8.8.8: 80/',
      'http://8.8.8.8:8080a/',
      'http://8.8.8.8:99999999999/',
    ],
  ],
  [
    'ports out of range',
    ['http://8.8.8.8:0/', 'http://8.8.8.8:65536/', 'http://8.8.8.8:-1/', 'http://8.8.8.8:a/'],
  ],
];

/** URLs in which some parsers find a loopback host. */
const WHOLE_LOOPBACK: typeof WHOLE = [
  ['missing slashes', ['http:127.0.0.1:%p/', 'http:/127.0.0.1:%p/', 'HTTP:127.1:%p']],
  ['doubled slashes', ['http:///127.0.0.1:%p/', 'http:////127.0.0.1:%p/']],
  [
    'a public host after the end of the host',
    ['http://127.0.0.1:%p?@8.8.8.8/', 'http://[::1]:%p#@a.am/'],
  ],
  ['empty userinfo', ['http://@127.0.0.1:%p/', 'http://:@127.0.0.1:%p/']],
];

const PORTS: readonly (readonly [why: string, ports: readonly number[]])[] = [
  ['mail', [25, 465, 587, 110, 143, 993, 995, 4190]],
  ['shells and files', [20, 21, 22, 23, 69, 139, 445, 873, 2049]],
  ['DNS, directories and time', [53, 123, 389, 636]],
  ['databases', [1433, 1521, 3306, 5432, 9042, 27017]],
  ['caches and brokers', [4222, 5672, 6379, 9092, 11211]],
  ['remote control', [2375, 2376, 2379, 3389, 5900, 7233, 10250]],
  ['chat and telephony', [5060, 5061, 6667, 6697]],
  ['other services', [1, 7, 9, 19, 81, 1023, 6000, 10080]],
];

/** Returns all URLs. Those of this machine have `port`, where a listener counts connections. */
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
