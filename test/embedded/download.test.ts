import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';

import type { Archive } from '../../embedded/archives.ts';
import { download, HashError, probe } from '../../embedded/download.ts';
import { fromArchive } from '../../embedded/sources.ts';
import { makeFolder, makePlace } from './ground.ts';

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe('probe', () => {
  it('gives up after 3 s on a server that takes a connection and says nothing', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    const { port } = server.address() as AddressInfo;
    const startedAt = performance.now();
    await expect(probe(`http://127.0.0.1:${port}`)).rejects.toThrow('cannot be reached');
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    server.close();
  });

  it('refuses at once where nothing listens', async () => {
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

  it('keeps the program of an archive that has the expected hash, and nothing else', async () => {
    const place = path.join(folder, 'kept');
    await mkdir(place);
    await download(archive, path.join(place, 'mongod'), () => undefined);
    expect(await readdir(place)).toEqual(['mongod']);
    expect(execFileSync(path.join(place, 'mongod')).toString()).toBe('right\n');
  });

  it('refuses another archive with the file, both hashes, and an empty cache', async () => {
    const expected = archive.sha256;
    packed = await pack('mongodb-of-some-name/bin/mongod', '#!/bin/sh\necho wrong\n');
    const lines: string[] = [];
    const cacheDir = path.join(folder, 'cache');
    const source = fromArchive(
      { program: 'mongod', version: '1', host: 'test', archive: () => archive },
      { ...makePlace(lines), cacheDir },
    );
    const error = await source.find().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(HashError);
    const text = `${archive.url} has the wrong SHA-256: expected ${expected}, found ${hashOf(packed)}`;
    expect((error as HashError).message).toBe(text);
    expect(lines).toContain(`REFUSED: ${text}`);
    expect(await readdir(cacheDir, { recursive: true })).toEqual([
      `${process.platform}-${process.arch}`,
    ]);
  });

  it('refuses an archive that was cut off', async () => {
    packed = packed.subarray(0, -1);
    const cut = download(archive, path.join(folder, 'mongod'), () => undefined);
    await expect(cut).rejects.toThrow(/wrong SHA-256: expected/);
  });
});
