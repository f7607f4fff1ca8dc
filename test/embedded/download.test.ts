import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';

import type { Archive } from '../../embedded/archives.ts';
import { download, HashError, probe } from '../../embedded/download.ts';
import { makeFolder } from './ground.ts';

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe('probe', () => {
  it('gives up after 3 s on a server that accepts a connection and sends nothing', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    const { port } = server.address() as AddressInfo;
    const startedAt = performance.now();
    await expect(probe(`http://127.0.0.1:${port}`)).rejects.toThrow('cannot be reached');
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    server.close();
  });

  it('fails at once if nothing listens', async () => {
    await expect(probe('http://127.0.0.1:1')).rejects.toThrow('127.0.0.1:1 cannot be reached');
  });
});

describe('download', () => {
  let folder: string;
  let remove: () => Promise<void>;
  let server: Server;
  let packed: Buffer;
  let archive: Archive;

  beforeEach(async () => {
    ({ folder, remove } = await makeFolder());
    packed = await pack('mongodb-of-some-name/bin/mongod', '#!/bin/sh\necho right\n');
    server = createHttpServer((_, response) => void response.end(packed));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/mongodb.tgz`;
    archive = { url, sha256: hashOf(packed), program: 'mongod' };
  });
  afterEach(async () => {
    server.close();
    server.closeAllConnections();
    await remove();
  });

  async function pack(member: string, content: string): Promise<Buffer> {
    const root = path.join(folder, 'source');
    await mkdir(path.dirname(path.join(root, member)), { recursive: true });
    await writeFile(path.join(root, member), content);
    const file = path.join(folder, 'packed.tgz');
    execFileSync('tar', ['-czf', file, '-C', root, '.']);
    return readFile(file);
  }

  it('keeps only the program of an archive with the expected hash', async () => {
    const place = path.join(folder, 'kept');
    await download(archive, path.join(place, 'mongod'), () => undefined);
    expect(await readdir(place)).toEqual(['mongod']);
    expect(execFileSync(path.join(place, 'mongod')).toString()).toBe('right\n');
  });

  it('refuses another archive, names its URL and both hashes, and leaves the cache empty', async () => {
    const expected = archive.sha256;
    packed = await pack('mongodb-of-some-name/bin/mongod', '#!/bin/sh\necho wrong\n');
    const lines: string[] = [];
    const cacheDir = path.join(folder, 'cache');
    const file = path.join(cacheDir, 'mongod-1', 'mongod');
    const refused = download(archive, file, (line) => lines.push(line));
    await expect(refused).rejects.toThrow(HashError);
    const text = `${archive.url} has the wrong SHA-256: expected ${expected}, found ${hashOf(packed)}`;
    await expect(refused).rejects.toThrow(text);
    expect(lines).toContain(`REFUSED: ${text}`);
    expect(await readdir(cacheDir)).toEqual([]);
  });

  it('refuses a truncated archive', async () => {
    packed = packed.subarray(0, -1);
    const cut = download(archive, path.join(folder, 'cut', 'mongod'), () => undefined);
    await expect(cut).rejects.toThrow(/wrong SHA-256: expected/);
  });
});
