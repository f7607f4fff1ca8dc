/** Checks of Temporal's variables, which Temporal's own library reads without complaint. */
import { X509Certificate, createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { LOOPBACK } from './variables.ts';

type Variables = Partial<Record<string, string>>;
type Faults = Partial<Record<string, Error>>;

const PREFIX = 'TEMPORAL_TLS_';
/** The parts of TLS that a file holds, or a variable of its own. */
const PARTS = ['CLIENT_CERT', 'CLIENT_KEY', 'SERVER_CA_CERT'] as const;
type Part = (typeof PARTS)[number];

/** Temporal Cloud's addresses: of a namespace, and of a region. */
const CLOUD = /\.(tmprl\.cloud|api\.temporal\.io)(:\d+)?$/;

/** Returns the faults of the variables for Temporal, by variable. */
export function temporalFaults(variables: Variables): Faults {
  const faults: Faults = {};
  const report = (name: string, words: string): void => {
    faults[name] ??= new Error(words);
  };
  judgeAddress(variables, report);
  judgeTls(variables, report);
  judgeCertificates(variables, report);
  return faults;
}

type Report = (name: string, words: string) => void;

function judgeAddress(variables: Variables, report: Report): void {
  const {
    TEMPORAL_ADDRESS: address = '',
    TEMPORAL_NAMESPACE: namespace = 'default',
    TEMPORAL_API_KEY: apiKey,
  } = variables;
  if (address.includes('://')) report('TEMPORAL_ADDRESS', 'must be host:port, without a scheme');
  // The key becomes a header.
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
    report('TEMPORAL_API_KEY', 'must be one line without spaces');
  }
  if (!CLOUD.test(address)) return;
  if (!/^[\w-]+\.\w+$/.test(namespace)) {
    report('TEMPORAL_NAMESPACE', 'must have the form name.account on Temporal Cloud');
  }
  if (apiKey === undefined && sourceOf(variables, 'CLIENT_CERT') === undefined) {
    report(
      'TEMPORAL_API_KEY',
      `is missing, or ${PREFIX}CLIENT_CERT_PATH: Temporal Cloud needs one`,
    );
  }
}

function judgeTls(variables: Variables, report: Report): void {
  const { TEMPORAL_ADDRESS: address = 'localhost:7233', TEMPORAL_TLS: tls } = variables;
  // Temporal's library would switch TLS off for any other word.
  if (tls !== undefined && !['true', 'false', '1', '0'].includes(tls)) {
    report('TEMPORAL_TLS', 'must be true or false');
  }
  if (variables[`${PREFIX}DISABLE_HOST_VERIFICATION`] !== undefined) {
    const name = `${PREFIX}SERVER_NAME`;
    const words = `is not supported; set ${name} to the name in the server's certificate`;
    report(`${PREFIX}DISABLE_HOST_VERIFICATION`, words);
  }
  if (tls !== 'false' && tls !== '0') return;
  const [unused] = Object.keys(variables).filter((name) => name.startsWith(PREFIX));
  if (unused !== undefined) report('TEMPORAL_TLS', `is ${tls}, but ${unused} is set; unset one`);
  const host = address.replace(/:\d+$/, '');
  if (variables['TEMPORAL_API_KEY'] !== undefined && !LOOPBACK.test(host)) {
    report('TEMPORAL_TLS', `is ${tls}, but then TEMPORAL_API_KEY is sent unencrypted; unset it`);
  }
}

function judgeCertificates(variables: Variables, report: Report): void {
  const texts = new Map<Part, string>();
  for (const part of PARTS) {
    const source = sourceOf(variables, part);
    if (source === undefined) continue;
    if (variables[`${PREFIX}${part}_PATH`] && variables[`${PREFIX}${part}_DATA`]) {
      report(`${PREFIX}${part}_DATA`, `is set, and ${PREFIX}${part}_PATH too; unset one of them`);
    }
    try {
      texts.set(part, readPart(part, variables));
    } catch (error) {
      report(source, (error as Error).message);
    }
  }
  const [certSource, keySource] = [
    sourceOf(variables, 'CLIENT_CERT'),
    sourceOf(variables, 'CLIENT_KEY'),
  ];
  if (certSource !== undefined && keySource === undefined) {
    report(certSource, `needs ${PREFIX}CLIENT_KEY_PATH, the certificate's private key`);
  }
  if (keySource !== undefined && certSource === undefined) {
    report(keySource, `needs ${PREFIX}CLIENT_CERT_PATH, the certificate of this key`);
  }
  const [cert, key] = [texts.get('CLIENT_CERT'), texts.get('CLIENT_KEY')];
  if (cert === undefined || key === undefined || keySource === undefined) return;
  if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) {
    report(keySource, 'is not the private key of the client certificate');
  }
}

/** Returns the name of the variable that sets this part. */
function sourceOf(variables: Variables, part: Part): string | undefined {
  const names = [`${PREFIX}${part}_PATH`, `${PREFIX}${part}_DATA`];
  return names.find((name) => variables[name] !== undefined);
}

/** Returns the text of a part. Throws an error that explains what is wrong with it. */
function readPart(part: Part, variables: Variables): string {
  const file = variables[`${PREFIX}${part}_PATH`];
  const text = file === undefined ? (variables[`${PREFIX}${part}_DATA`] ?? '') : readText(file);
  const isKey = part === 'CLIENT_KEY';
  try {
    const parse = isKey ? createPrivateKey : (pem: string) => new X509Certificate(pem);
    parse(text);
    return text;
  } catch (error) {
    const wanted = isKey ? 'a private key in PEM, without a password' : 'a certificate in PEM';
    throw new Error(`${file ?? 'the value'} is not ${wanted}`, { cause: error });
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`, {
      cause: error,
    });
  }
}
