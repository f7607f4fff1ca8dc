/** The access that a web page in the developer's browser has to the servers of `npm start`. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Client, Connection } from '@temporalio/client';
import { BSON, MongoClient } from 'mongodb';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';

import { freePort } from '../../embedded/ports.ts';
import { startServers, type Servers } from '../../embedded/servers.ts';
import { ask } from './ask.ts';
import { makeFolder, makePlace } from './ground.ts';

const WORKFLOW = 'precious';
const TERMINATE = `/api/v1/namespaces/default/workflows/${WORKFLOW}/terminate`;
const HOSTS = ['evil.example', 'localhost', '127.0.0.1'];

/** True on Linux, which lists the listening sockets of each process. */
const onLinux = existsSync('/proc/net/tcp') ? it : it.skip;

interface Listening {
  address: string;
  port: number;
}

describe('the servers of npm start', () => {
  let servers: Servers;
  let remove: () => Promise<void>;
  let dataDir: string;
  let uiPort: number;
  let connection: Connection;
  let client: Client;

  beforeAll(async () => {
    ({ folder: dataDir, remove } = await makeFolder());
    uiPort = await freePort();
    const { env } = process;
    servers = await startServers({
      ...makePlace(),
      dataDir,
      temporal: { cliPath: env['TEMPORAL_CLI_PATH'], uiPort, uiHosts: ['shop.internal'] },
      mongo: { mongodPath: env['MONGOD_PATH'] },
    });
    connection = await Connection.connect({ address: servers.temporal.address });
    client = new Client({ connection });
  }, 120_000);
  afterAll(async () => {
    await connection?.close();
    await servers?.stop();
    await remove();
  }, 60_000);
  beforeEach(async () => {
    const workflowIdConflictPolicy = 'USE_EXISTING';
    const options = { taskQueue: 'none', workflowId: WORKFLOW, workflowIdConflictPolicy } as const;
    await client.workflow.start('nothing', options);
  });

  const statusOf = async (): Promise<string> =>
    (await client.workflow.getHandle(WORKFLOW).describe()).status.name;

  onLinux('listen on loopback addresses only', () => {
    const all = [...listeningOf(servers.temporal.pid), ...listeningOf(servers.mongo.pid)];
    expect(all.length).toBeGreaterThan(2);
    expect(all.filter(({ address }) => !address.startsWith('127.'))).toEqual([]);
  });

  onLinux('execute no command of a web page on any port', async () => {
    const open = listeningOf(servers.temporal.pid).filter(({ address }) => address === '127.0.0.1');
    const done: (readonly [number, string, number])[] = [];
    for (const { port } of open) {
      for (const host of HOSTS) {
        const headers = {
          host: `${host}:${port}`,
          origin: 'http://evil.example',
          'content-type': 'text/plain',
        };
        const body = '{"reason":"because a page could"}';
        const { status } = await ask({ port, method: 'POST', path: TERMINATE, headers, body });
        if (status >= 200 && status < 300) done.push([port, host, status]);
      }
    }
    expect(done).toEqual([]);
    expect(await statusOf()).toBe('RUNNING');
  });

  onLinux('do not serve the web interface at an address that a web page can guess', async () => {
    const { temporal_ui: innerPort } = JSON.parse(
      await readFile(path.join(dataDir, 'ports.json'), 'utf8'),
    ) as Record<string, number>;
    const inner = listeningOf(servers.temporal.pid).find(({ port }) => port === innerPort);
    expect(inner?.address).toMatch(/^127\.\d+\.\d+\.\d+$/);
    expect(inner?.address).not.toBe('127.0.0.1');
    expect((await ask({ port: innerPort ?? 0 })).status).toBe(0);
  });

  it('refuse a page whose own host name points to the web interface', async () => {
    const headers = { host: `evil.example:${uiPort}`, origin: `http://evil.example:${uiPort}` };
    expect((await ask({ port: uiPort, headers })).status).toBe(403);
    const read = await ask({ port: uiPort, path: '/api/v1/namespaces', headers });
    expect(read).toMatchObject({ status: 403, headers: {} });
    expect(read.headers).not.toHaveProperty('set-cookie');
    const sameOrigin = { ...headers, 'sec-fetch-site': 'same-origin' };
    const write = { port: uiPort, method: 'POST', path: TERMINATE, body: '{"reason":"x"}' };
    expect((await ask({ ...write, headers: sameOrigin })).status).toBe(403);
    expect(await statusOf()).toBe('RUNNING');
  });

  it.each(['localhost', 'shop.internal'])(
    'serve the web interface under the name %s',
    async (name) => {
      const host = `${name}:${uiPort}`;
      const page = await ask({ port: uiPort, headers: { host } });
      expect(page.status).toBe(200);
      expect(page.text).toContain('<!doctype html>');
      const list = await ask({ port: uiPort, path: '/api/v1/namespaces', headers: { host } });
      expect(list.text).toContain('"default"');
      const headers = { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
      const body = '{"reason":"the developer wants it"}';
      const ended = await ask({ port: uiPort, method: 'POST', path: TERMINATE, headers, body });
      expect(ended.status).toBe(200);
      expect(await statusOf()).toBe('TERMINATED');
    },
  );

  it('reject a database command in the body of a web request', async () => {
    const { port } = new URL(servers.mongo.uri.replace(/^mongodb/, 'http'));
    const mongo = new MongoClient(servers.mongo.uri);
    try {
      const things = mongo.db('test').collection('things');
      await things.insertOne({ name: 'precious' });
      const body = messageOf({ dropDatabase: 1, $db: 'test' });
      await ask({ port: Number(port), method: 'POST', headers: { host: 'evil.example' }, body });
      expect(await things.countDocuments()).toBe(1);
      // Without the web request around them, the same bytes drop the database.
      const socket = connect(Number(port), '127.0.0.1', () => socket.write(body));
      socket.once('data', () => socket.destroy());
      await new Promise((resolve) => socket.once('close', resolve));
      expect(await things.countDocuments()).toBe(0);
    } finally {
      await mongo.close();
    }
  });
});

const OP_MSG = 2013;

/** Returns a command in the wire protocol. */
function messageOf(command: object): Buffer {
  const section = BSON.serialize(command);
  const head = Buffer.alloc(21);
  head.writeInt32LE(head.length + section.length, 0);
  head.writeInt32LE(OP_MSG, 12);
  return Buffer.concat([head, section]);
}

/** Returns the addresses where a process listens. */
function listeningOf(pid: number | undefined): Listening[] {
  const folder = `/proc/${pid}/fd`;
  const inodes = readdirSync(folder).flatMap((name) => {
    const target = readlinkSync(path.join(folder, name));
    return /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? [];
  });
  return ['tcp', 'tcp6'].flatMap((kind) =>
    readFileSync(`/proc/net/${kind}`, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields[3] === LISTEN && inodes.includes(fields[9] ?? ''))
      .map((fields) => placeOf(fields[1] ?? '')),
  );
}

/** The state of a listening socket in /proc/net/tcp. */
const LISTEN = '0A';

/** Parses `0100007F:1F90`. The bytes of the address are in the machine's order. */
function placeOf(text: string): Listening {
  const [hex = '', port = ''] = text.split(':');
  const bytes = [...Buffer.from(hex, 'hex')];
  const address = bytes.length === 4 ? bytes.toReversed().join('.') : `[${hex}]`;
  return { address, port: Number.parseInt(port, 16) };
}
