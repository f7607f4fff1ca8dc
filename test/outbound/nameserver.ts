/** A name server over UDP with answers from the test. It counts the queries. */
import { createSocket } from 'node:dgram';
import type { RemoteInfo } from 'node:dgram';
import { isIP, isIPv6 } from 'node:net';

const TYPES = { A: 1, CNAME: 5, AAAA: 28 } as const;
/** Flags of the header: an authoritative answer, recursion available. The second adds NXDOMAIN. */
const ANSWER = 0x8580;
const NO_SUCH_NAME = 0x8583;
const HEADER_BYTES = 12;
/** The type and class, which follow the name in a question. */
const QUESTION_TAIL_BYTES = 4;
const INTERNET = 1;
/** A pointer to the name in the question. */
const SAME_NAME = Buffer.from([0xc0, HEADER_BYTES]);

/**
 * Returns the addresses of a name at the nth query (from 1), or one other name that it is an alias
 * of. Returns undefined for an unknown name, and `silence` for no answer.
 */
export type Zone = (name: string, nth: number) => readonly string[] | 'silence' | undefined;

export interface NameServer {
  readonly port: number;
  /** The number of queries for the IPv4 addresses of each name. */
  readonly asked: ReadonlyMap<string, number>;
  close(): void;
}

/** Listens on port 53, which needs root, or on `at`; 0 is a free port. */
export async function openNameServer(zone: Zone, address: string, at = 53): Promise<NameServer> {
  const asked = new Map<string, number>();
  const socket = createSocket('udp4');
  const answer = (message: Buffer, to: RemoteInfo): void => {
    const { name, type, end } = readQuestion(message);
    const nth = (asked.get(name) ?? 0) + (type === TYPES.A ? 1 : 0);
    asked.set(name, nth);
    // A resolver queries A and AAAA together. Both get the answers of the same `nth`.
    const entries = zone(name, Math.max(nth, 1));
    if (entries === 'silence') return;
    const ask = { type, lookUp: (other: string) => zone(other, 1) };
    const records = recordsOf(entries ?? [], SAME_NAME, ask);
    const header = Buffer.from(message.subarray(0, HEADER_BYTES));
    header.writeUInt16BE(entries === undefined ? NO_SUCH_NAME : ANSWER, 2);
    for (const [index, count] of [1, records.length, 0, 0].entries()) {
      header.writeUInt16BE(count, 4 + 2 * index);
    }
    const question = message.subarray(HEADER_BYTES, end);
    socket.send(Buffer.concat([header, question, ...records]), to.port, to.address);
  };
  socket.on('message', answer);
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject).bind(at, address, resolve);
  });
  const { port } = socket.address();
  return { port, asked, close: () => void socket.close() };
}

function readQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (;;) {
    const length = message[at] ?? 0;
    if (length === 0) break;
    labels.push(message.subarray(at + 1, at + 1 + length).toString('latin1'));
    at += length + 1;
  }
  const end = at + 1 + QUESTION_TAIL_BYTES;
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end };
}

/** Returns the records of a name, and of the names that it is an alias of. */
function recordsOf(
  entries: readonly string[],
  name: Buffer,
  ask: { type: number; lookUp: (name: string) => ReturnType<Zone> },
): Buffer[] {
  return entries.flatMap((entry) => {
    if (isIP(entry) === 0) {
      const target = encodeName(entry);
      const found = ask.lookUp(entry);
      const behind = Array.isArray(found) ? (found as string[]) : [];
      return [record(name, TYPES.CNAME, target), ...recordsOf(behind, target, ask)];
    }
    return addressesOf([entry], ask.type, name);
  });
}

function addressesOf(addresses: readonly string[], type: number, name: Buffer): Buffer[] {
  const fitting = addresses.filter((address) => typeOf(address) === type);
  return fitting.map((address) => record(name, type, encodeAddress(address)));
}

function typeOf(address: string): number {
  return isIPv6(address) ? TYPES.AAAA : TYPES.A;
}

/** Returns a record with a time to live of 0, so that the next lookup queries again. */
function record(name: Buffer, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(INTERNET, 2);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([name, fixed, data]);
}

function encodeName(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

/** Encodes an address. An IPv6 address must have all eight parts. */
function encodeAddress(address: string): Buffer {
  if (!isIPv6(address)) return Buffer.from(address.split('.').map(Number));
  const parts = address.split(':').map((part) => part.padStart(4, '0'));
  return Buffer.from(parts.join(''), 'hex');
}
