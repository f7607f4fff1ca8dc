/**
 * Browsers' reports of violations of a page's security policy. Anybody can send one, and a true one
 * has the page's secret address. So only listed words, origins and numbers are kept.
 */

/** The directives that are counted by name. */
export const DIRECTIVES = [
  'base-uri',
  'connect-src',
  'default-src',
  'font-src',
  'form-action',
  'frame-ancestors',
  'img-src',
  'object-src',
  'require-trusted-types-for',
  'script-src',
  'script-src-attr',
  'script-src-elem',
  'style-src',
  'style-src-attr',
  'style-src-elem',
  'trusted-types',
] as const;

export interface Violation {
  readonly directive: (typeof DIRECTIVES)[number] | 'other';
  /** The origin that was blocked, or a word such as `inline`. */
  readonly blocked: string;
  /** The kind of page: `c` for the checkout, `bank`, or `other`. */
  readonly page: string;
  /** The origin of the script or style sheet that caused it. */
  readonly source: string;
  readonly line: number | null;
}

/** The most reports of one request. Browsers send those of several pages together. */
const MAX_REPORTS = 10;

/** Returns the violations in the body of a request. Leaves out everything else. */
export function readViolations(body: string): Violation[] {
  const parsed = parseJson(body);
  const reports = Array.isArray(parsed) ? (parsed as unknown[]).slice(0, MAX_REPORTS) : [parsed];
  return reports.flatMap((report) => readOne(report) ?? []);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

type Members = Readonly<Record<string, unknown>>;

/** Reads both forms: that of `report-uri`, and that of the Reporting API. */
function readOne(report: unknown): Violation | undefined {
  const outer = membersOf(report);
  const old = membersOf(outer?.['csp-report']);
  const inner = old ?? (outer?.['type'] === 'csp-violation' ? membersOf(outer['body']) : undefined);
  if (!inner) return undefined;
  const directive = inner['effectiveDirective'] ?? inner['effective-directive'];
  const line = inner['lineNumber'] ?? inner['line-number'];
  return {
    directive: DIRECTIVES.find((name) => name === directive) ?? 'other',
    blocked: originOf(inner['blockedURL'] ?? inner['blocked-uri']),
    page: pageOf(inner['documentURL'] ?? inner['document-uri']),
    source: originOf(inner['sourceFile'] ?? inner['source-file']),
    line: Number.isSafeInteger(line) ? (line as number) : null,
  };
}

function membersOf(value: unknown): Members | undefined {
  return typeof value === 'object' && value !== null ? (value as Members) : undefined;
}

/** What browsers report in place of an address, and schemes without an origin. */
const WORDS = [
  'inline',
  'eval',
  'wasm-eval',
  'self',
  'trusted-types-policy',
  'trusted-types-sink',
  'about',
  'blob',
  'data',
  'chrome-extension',
  'moz-extension',
  'safari-web-extension',
];
const MAX_ORIGIN_LENGTH = 100;
/** Parts of a host that may be a card number or a token. A page could send them to such a host. */
const NUMBER = /\d(?:[.-]?\d){7,}/g;
const LONG_LABEL = /[\w-]{25,}/g;

function originOf(address: unknown): string {
  if (typeof address !== 'string') return 'none';
  const word = WORDS.find((each) => address === each || address.startsWith(`${each}:`));
  if (word !== undefined) return word;
  const { protocol, host } = parse(address) ?? {};
  if (host === undefined || !/^(?:https?|wss?):$/.test(protocol ?? '')) return 'other';
  const plain = host.replaceAll(LONG_LABEL, '(long)').replaceAll(NUMBER, '(digits)');
  return `${protocol}//${plain}`.slice(0, MAX_ORIGIN_LENGTH);
}

/** Returns the kind of page only, because the rest of its address is secret. */
function pageOf(address: unknown): string {
  const { pathname = '' } = (typeof address === 'string' && parse(address)) || {};
  return /\/(c|bank)\/[^/]/.exec(pathname)?.[1] ?? 'other';
}

function parse(address: string): URL | undefined {
  try {
    return new URL(address);
  } catch {
    return undefined;
  }
}
