import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import path from 'node:path';

import { isPortFree, keepPorts, requirePort } from '../../embedded/ports.ts';
import { makeFolder } from './ground.ts';

async function listenOn(port: number, host: string): Promise<Server> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, host, () => resolve()));
  return server;
}

describe('keepPorts, isPortFree and requirePort', () => {
  let folder: string;
  let file: string;
  let remove: () => Promise<void>;
  let servers: Server[];
  beforeEach(async () => {
    ({ folder, remove } = await makeFolder());
    file = path.join(folder, 'ports.json');
    servers = [];
  });
  afterEach(async () => {
    for (const server of servers) server.close();
    await remove();
  });

  it.each(['127.0.0.1', '0.0.0.0'])('report a port that is taken on %s', async (host) => {
    const { mongo } = await keepPorts(file, ['mongo']);
    expect(await isPortFree(mongo)).toBe(true);
    servers.push(await listenOn(mongo, host));
    expect(await isPortFree(mongo)).toBe(false);
    const refusal = requirePort(mongo, 'TEMPORAL_UI_PORT');
    await expect(refusal).rejects.toThrow(/set TEMPORAL_UI_PORT to a free port/);
  });

  it('keep the same ports from start to start, and all other ports in the file', async () => {
    const first = await keepPorts(file, ['temporal', 'mongo']);
    expect(first.temporal).not.toBe(first.mongo);
    expect(await keepPorts(file, ['mongo'])).toEqual(first);
    expect(await keepPorts(file, ['temporal', 'mongo'])).toEqual(first);
  });

  it('replace a kept port that another program has taken', async () => {
    const first = await keepPorts(file, ['temporal', 'mongo']);
    servers.push(await listenOn(first.mongo, '127.0.0.1'));
    const second = await keepPorts(file, ['temporal', 'mongo']);
    expect(second.temporal).toBe(first.temporal);
    expect(second.mongo).not.toBe(first.mongo);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(second);
  });

  it.each(['', '{"mongo": "80a"', '{"mongo": "27017"}', 'null'])(
    'choose a new port if the file holds %j',
    async (content) => {
      await writeFile(file, content);
      expect((await keepPorts(file, ['mongo'])).mongo).toBeGreaterThan(1_024);
    },
  );
});
