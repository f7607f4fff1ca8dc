import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Client, Connection } from '@temporalio/client';
import { MongoClient } from 'mongodb';
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';

import { keepPorts } from '../../embedded/ports.ts';
import { startServers, type Servers } from '../../embedded/servers.ts';
import { waitUntil } from '../../embedded/wait.ts';
import {
  allEnd,
  isAlive,
  LIMIT_MS,
  makeFolder,
  makePlace,
  runProgram,
  endPrograms,
} from './ground.ts';

const WORKFLOW_ID = 'kept';

describe('startServers', () => {
  let dataDir: string;
  let remove: () => Promise<void>;
  let servers: Servers | undefined;
  let lines: string[];
  beforeEach(async () => {
    ({ folder: dataDir, remove } = await makeFolder());
    lines = [];
  });
  afterEach(async () => {
    endPrograms();
    await servers?.stop();
    servers = undefined;
    await remove();
  });

  function options() {
    const { env } = process;
    return {
      ...makePlace(lines),
      dataDir,
      temporal: { cliPath: env['TEMPORAL_CLI_PATH'] },
      mongo: { mongodPath: env['MONGOD_PATH'] },
    };
  }

  it('names TEMPORAL_UI_PORT if its port is taken, and starts nothing', async () => {
    const { web } = await keepPorts(path.join(dataDir, 'web.json'), ['web']);
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(web, '127.0.0.1', () => resolve()));
    const taken = startServers({ ...options(), temporal: { uiPort: web } });
    await expect(taken).rejects.toThrow(new RegExp(`${web} is taken.*TEMPORAL_UI_PORT`));
    await expect(stat(path.join(dataDir, 'running.json'))).rejects.toThrow('ENOENT');
    other.close();
  });

  it('uses the given servers, and starts nothing', async () => {
    const [address, uri] = ['temporal.test:7233', 'mongodb://mongo.test/?replicaSet=rs0'];
    servers = await startServers({ ...options(), temporal: { address }, mongo: { uri } });
    expect(servers.temporal).toEqual({ address, pid: undefined });
    expect(servers.mongo).toEqual({ uri, kind: 'given', pid: undefined });
  });

  it('starts only the server that is not given', async () => {
    const uri = 'mongodb://mongo.test/?replicaSet=rs0';
    servers = await startServers({ ...options(), mongo: { uri } });
    expect(isAlive(servers.temporal.pid)).toBe(true);
    expect(servers.mongo).toEqual({ uri, kind: 'given', pid: undefined });
  });

  it('stops Temporal if MongoDB does not start', async () => {
    const started: (number | undefined)[] = [];
    const { web } = await keepPorts(path.join(dataDir, 'web.json'), ['web']);
    const broken = startServers({
      ...options(),
      temporal: { uiPort: web },
      // A program that reports the version of mongod, but does not serve.
      mongo: { mongodPath: await makeFalseMongod() },
      onPids: ({ temporal }) => void started.push(temporal),
    });
    await expect(broken).rejects.toThrow(/MongoDB ended \d times.*\n[^]*db version/);
    expect(started.length).toBeGreaterThan(0);
    expect(await allEnd(started)).toBe(true);
  });

  it('restarts killed servers with their data and ports, and stops every process', async () => {
    const seen: object[] = [];
    const onPids = (pids: object) => void seen.push(pids);
    servers = await startServers({ ...options(), onPids });
    const { temporal, mongo } = servers;
    const before = [temporal.pid, mongo.pid];
    await writeData(servers);
    for (const pid of before) process.kill(pid!, 'SIGKILL');
    expect(await waitUntil(() => count(lines, 'is back') === 2, LIMIT_MS)).toBe(true);
    expect(temporal.pid).not.toBe(before[0]);
    expect(mongo.pid).not.toBe(before[1]);
    expect(seen.at(-1)).toEqual({ temporal: temporal.pid, mongo: mongo.pid });
    expect(await readData(servers)).toEqual(['kept', 'RUNNING']);

    const pids = await noted(dataDir);
    expect(pids.length).toBe(3);
    await servers.stop();
    expect(pids.filter(isAlive)).toEqual([]);

    const again = await startServers(options());
    expect([again.temporal.address, again.mongo.uri]).toEqual([temporal.address, mongo.uri]);
    expect(await readData(again)).toEqual(['kept', 'RUNNING']);
    await again.stop();
    servers = undefined;
  });

  it('leaves no process after kill -9, and a new start finds the data at once', async () => {
    const { web } = await keepPorts(path.join(dataDir, 'web.json'), ['web']);
    const withWeb = { ...options(), temporal: { ...options().temporal, uiPort: web } };
    const { child, next } = runProgram(`
      import { startServers } from './embedded/servers.ts';
      const options = ${JSON.stringify(withWeb)};
      const servers = await startServers({ ...options, log: () => {} });
      console.log(JSON.stringify(servers));`);
    const first = (await next()) as Servers;
    const pids = await noted(dataDir);
    await expect(startServers(withWeb)).rejects.toThrow(`process ${child.pid} uses`);
    await writeData(first);
    child.kill('SIGKILL');
    servers = await startServers(withWeb);
    expect(pids.filter(isAlive)).toEqual([]);
    expect(servers.mongo.uri).toBe(first.mongo.uri);
    expect(await readData(servers)).toEqual(['kept', 'RUNNING']);
  });

  async function makeFalseMongod(): Promise<string> {
    const { chmod, writeFile } = await import('node:fs/promises');
    const file = path.join(dataDir, 'mongod');
    await writeFile(file, '#!/bin/sh\necho "db version v8.0.17"\n');
    await chmod(file, 0o755);
    return file;
  }
});

function count(lines: readonly string[], text: string): number {
  return lines.filter((line) => line.includes(text)).length;
}

/** Returns the pids of the processes that use a data folder: the guardian and the servers. */
async function noted(dataDir: string): Promise<number[]> {
  const running = JSON.parse(await readFile(path.join(dataDir, 'running.json'), 'utf8'));
  return running.others.map(({ pid }: { pid: number }) => pid);
}

/** Writes data, and ends with a transaction. The caller kills the server right after it. */
async function writeData({ temporal, mongo }: Servers): Promise<void> {
  await inTemporal(temporal.address, (client) =>
    client.workflow.start('nothing', { taskQueue: 'none', workflowId: WORKFLOW_ID }),
  );
  await inMongo(mongo.uri, async (client) => {
    const things = client.db('test').collection<{ _id: string }>('things');
    await things.insertOne({ _id: 'first' });
    await client.withSession(async (session) =>
      session.withTransaction(async () => things.insertOne({ _id: 'kept' }, { session }), {
        writeConcern: { w: 'majority', journal: true },
      }),
    );
  });
}

async function readData({ temporal, mongo }: Servers): Promise<(string | undefined)[]> {
  const thing = await inMongo(mongo.uri, (client) =>
    client.db('test').collection<{ _id: string }>('things').findOne({ _id: 'kept' }),
  );
  const workflow = await inTemporal(temporal.address, (client) =>
    client.workflow.getHandle(WORKFLOW_ID).describe(),
  );
  return [thing?._id, workflow.status.name];
}

async function inMongo<Result>(
  uri: string,
  work: (client: MongoClient) => Promise<Result>,
): Promise<Result> {
  const client = new MongoClient(uri);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

async function inTemporal<Result>(
  address: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const connection = await Connection.connect({ address });
  try {
    return await work(new Client({ connection }));
  } finally {
    await connection.close();
  }
}
