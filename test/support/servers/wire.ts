/**
 * A proxy that speaks MongoDB's wire protocol. It forwards commands to the real server, but replies
 * to chosen ones itself, as a member of a replica set does during an election.
 */
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { BSON } from 'mongodb';
import type { Document } from 'mongodb';

export interface Rule {
  /** The commands it applies to, `hello` too. By default it applies to all but the handshake. */
  readonly commands?: readonly string[];
  /** The only collection it applies to. */
  readonly collection?: string;
  /** The number of commands it applies to. By default it applies until it is replaced. */
  readonly times?: number;
  /**
   * The reply. A document is sent instead of running the command. A function receives the reply of
   * the real server, which has run the command, and returns the reply to send.
   */
  readonly reply: Document | ((real: Document, command: Document) => Document | Promise<Document>);
}

export interface Wire {
  readonly port: number;
  /** The URI of the server through this proxy. */
  readonly uri: string;
  /** The name of every received command except handshakes. */
  readonly seen: string[];
  /** Replaces the rules. With none, everything is forwarded. */
  setRules(...rules: Rule[]): void;
  close(): Promise<void>;
}

/** Returns the error reply of a server, by default without labels. */
export const failing = (code: number, codeName: string, ...errorLabels: string[]): Document => ({
  ok: 0,
  code,
  codeName,
  errmsg: `${codeName} for the test`,
  ...(errorLabels.length > 0 ? { errorLabels } : {}),
});

/** Returns a reply that reports an error although the server ran the command. */
export const failingLate = (code: number, codeName: string) => (): Document =>
  failing(code, codeName);

/** Returns a reply that reports a write as not confirmed by a majority. */
export const unconfirmed =
  (code: number, codeName: string) =>
  (real: Document): Document => ({
    ...real,
    writeConcernError: { code, codeName, errmsg: `${codeName} for the test` },
  });

const HANDSHAKE = new Set(['hello', 'isMaster', 'ismaster']);

/** Listens on a free port and forwards to the server of the MongoDB URI `target`. */
export async function openWire(target: string): Promise<Wire> {
  const { hostname, port: farPort, pathname } = new URL(target);
  const seen: string[] = [];
  const sockets = new Set<Socket>();
  let rules: { rule: Rule; left: number }[] = [];
  const take = (name: string, command: Document): Rule | undefined => {
    const found = rules.find(({ rule: { commands, collection }, left }) => {
      const isNamed = commands?.includes(name) ?? !HANDSHAKE.has(name);
      return left > 0 && isNamed && (collection === undefined || command[name] === collection);
    });
    if (found) found.left -= 1;
    return found?.rule;
  };
  const server = createServer((near) => {
    const far = connect(Number(farPort), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        near.destroy();
        far.destroy();
      });
    }
    relay({ near, far, seen, take });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  // A real member announces every change of its state. This proxy does not, so the driver polls.
  const query = '?directConnection=true&serverMonitoringMode=poll&minHeartbeatFrequencyMS=10';
  return {
    port,
    uri: `mongodb://127.0.0.1:${port}${pathname || '/'}${query}`,
    seen,
    setRules: (...next) => {
      rules = next.map((rule) => ({ rule, left: rule.times ?? Infinity }));
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

interface Relay {
  near: Socket;
  far: Socket;
  seen: string[];
  take: (name: string, command: Document) => Rule | undefined;
}

/** Forwards whole messages in both directions, except those that a rule applies to. */
function relay({ near, far, seen, take }: Relay): void {
  const changed = new Map<number, (real: Document) => Promise<Document>>();
  const send = async (reply: Promise<Document>, id: number): Promise<void> => {
    near.write(messageOf(await reply, id));
  };
  near.on(
    'data',
    inMessages((message) => {
      const command = readCommand(message);
      const name = Object.keys(command ?? {})[0];
      if (!command || name === undefined) return void far.write(message);
      if (!HANDSHAKE.has(name)) seen.push(name);
      const reply = take(name, command)?.reply;
      const id = message.readInt32LE(4);
      if (typeof reply === 'function') changed.set(id, async (real) => reply(real, command));
      else if (reply) return void near.write(messageOf(reply, id));
      return void far.write(message);
    }),
  );
  far.on(
    'data',
    inMessages((message) => {
      const id = message.readInt32LE(8);
      const change = changed.get(id);
      changed.delete(id);
      if (!change) return void near.write(message);
      return void send(change(readCommand(message) ?? {}), id);
    }),
  );
}

/** Splits a stream into messages. Each begins with its length. */
function inMessages(each: (message: Buffer) => void): (data: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (data) => {
    rest = Buffer.concat([rest, data]);
    while (rest.length >= HEADER && rest.length >= rest.readInt32LE(0)) {
      const length = rest.readInt32LE(0);
      each(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  };
}

const HEADER = 16;
const OP_MSG = 2013;

/** Returns the main document of an OP_MSG, without its document sequences. */
function readCommand(message: Buffer): Document | undefined {
  if (message.readInt32LE(12) !== OP_MSG) return undefined;
  for (let at = HEADER + 4; at < message.length;) {
    const size = message.readInt32LE(at + 1);
    const isDocument = message[at] === 0;
    const bytes = message.subarray(at + 1, at + 1 + size);
    // Values are not promoted, so that a forwarded document keeps its types.
    if (isDocument) return BSON.deserialize(bytes, { promoteValues: false });
    at += 1 + size;
  }
  return undefined;
}

function messageOf(document: Document, responseTo: number): Buffer {
  const body = BSON.serialize(document);
  const head = Buffer.alloc(HEADER + 5);
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(responseTo, 8);
  head.writeInt32LE(OP_MSG, 12);
  return Buffer.concat([head, body]);
}
