/** X.509 certificates for tests, valid and invalid, made without an external tool. */
import { createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

const OIDS = {
  ecdsaWithSha256: '2a8648ce3d040302',
  commonName: '550403',
  subjectAltName: '551d11',
  basicConstraints: '551d13',
};
const DAY_MS = 24 * 60 * 60 * 1000;

export interface Authority {
  readonly name: string;
  readonly key: KeyObject;
  /** The certificate that clients must trust. */
  readonly pem: string;
}

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

function tlv(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  if (length < 128) return Buffer.concat([Buffer.from([tag, length]), content]);
  // DER has the shortest form only, and some libraries insist on it.
  if (length < 256) return Buffer.concat([Buffer.from([tag, 0x81, length]), content]);
  return Buffer.concat([Buffer.from([tag, 0x82, length >> 8, length & 0xff]), content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => tlv(0x30, ...parts);
const oid = (hex: string): Buffer => tlv(0x06, Buffer.from(hex, 'hex'));
const octets = (content: Buffer): Buffer => tlv(0x04, content);
const bits = (content: Buffer): Buffer => tlv(0x03, Buffer.from([0]), content);
const yes = tlv(0x01, Buffer.from([0xff]));

function nameOf(text: string): Buffer {
  return sequence(tlv(0x31, sequence(oid(OIDS.commonName), tlv(0x0c, Buffer.from(text)))));
}

/** Encodes a UTCTime, YYMMDDhhmmssZ. */
function time(at: Date): Buffer {
  const text = at
    .toISOString()
    .replace(/[-:T]|\.\d+/g, '')
    .slice(2);
  return tlv(0x17, Buffer.from(text));
}

/** Encodes the alternative name of a host: a name or an IPv4 address. */
function altName(host: string): Buffer {
  const isAddress = /^[\d.]+$/.test(host);
  const content = isAddress ? Buffer.from(host.split('.').map(Number)) : Buffer.from(host);
  return sequence(tlv(isAddress ? 0x87 : 0x82, content));
}

interface Wanted {
  subject: string;
  issuer: string;
  publicKey: KeyObject;
  signingKey: KeyObject;
  notAfter: Date;
  extension: Buffer;
}

function certify(wanted: Wanted): string {
  const algorithm = sequence(oid(OIDS.ecdsaWithSha256));
  const content = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, Buffer.from([1]), randomBytes(8)),
    algorithm,
    nameOf(wanted.issuer),
    sequence(time(new Date(wanted.notAfter.getTime() - 30 * DAY_MS)), time(wanted.notAfter)),
    nameOf(wanted.subject),
    wanted.publicKey.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, sequence(wanted.extension)),
  );
  const signature = createSign('sha256').update(content).sign(wanted.signingKey);
  const base64 = sequence(content, algorithm, bits(signature)).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`;
}

const makeKeys = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const later = (days: number): Date => new Date(Date.now() + days * DAY_MS);

export function makeAuthority(name = 'Tollgate tests'): Authority {
  const { publicKey, privateKey: signingKey } = makeKeys();
  const extension = sequence(oid(OIDS.basicConstraints), yes, octets(sequence(yes)));
  const notAfter = later(10);
  const wanted = { subject: name, issuer: name, publicKey, signingKey, notAfter, extension };
  return { name, key: signingKey, pem: certify(wanted) };
}

/** Issues a certificate for the host. Self-signed without an authority; expired if `days` is negative. */
export function makeCertificate(host: string, by?: Authority, days = 10): Certificate {
  const { publicKey, privateKey } = makeKeys();
  const cert = certify({
    subject: host,
    issuer: by?.name ?? host,
    publicKey,
    signingKey: by?.key ?? privateKey,
    notAfter: later(days),
    extension: sequence(oid(OIDS.subjectAltName), octets(altName(host))),
  });
  return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}
