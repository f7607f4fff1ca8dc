import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';

import { execa } from 'execa';

import type { Archive } from './archives.ts';
import { reason } from './wait.ts';

/** A reachable server answers within this; without a connection the next source comes quickly. */
const PROBE_LIMIT_MS = 3_000;

/** An archive is 60 to 100 MB: minutes on a slow line. After this the next source comes. */
const DOWNLOAD_LIMIT_MS = 10 * 60 * 1000;

/** Several times the largest archive: an answer that is longer is not one of them. */
const SIZE_LIMIT_BYTES = 1024 * 1024 * 1024;

const PROGRESS_MS = 5_000;

const BYTES_PER_MB = 1_000_000;

/** The download is not the file that its publisher released: it was changed, or cut off. */
export class HashError extends Error {
  override name = 'HashError';
}

/** Asks a server for anything; throws when none answers within 3 s. */
export async function probe(url: string): Promise<void> {
  try {
    await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(PROBE_LIMIT_MS) });
  } catch (error) {
    const { host } = new URL(url);
    throw new Error(`${host} cannot be reached: ${causeOf(error)}`, { cause: error });
  }
}

/** fetch says only that it failed; why is in the cause. */
function causeOf(error: unknown): string {
  const cause: unknown = Reflect.get(Object(error), 'cause');
  return reason(cause ?? error);
}

/**
 * Downloads an archive, verifies it and keeps only its program, as `file`. Unpacks nothing before
 * the SHA-256 is right. Throws a `HashError` if it is wrong, and leaves the archive to the caller,
 * who deletes the folder.
 */
export async function download(
  archive: Archive,
  file: string,
  log: (line: string) => void,
): Promise<void> {
  const packed = `${file}.tar.gz`;
  const unpacked = `${file}.unpacked`;
  await probe(new URL(archive.url).origin);
  await save(archive, packed, log);
  await mkdir(unpacked);
  await execa('tar', ['-xzf', packed, '-C', unpacked]);
  const entries = await readdir(unpacked, { recursive: true, withFileTypes: true });
  const program = entries.find((entry) => entry.isFile() && entry.name === archive.program);
  if (!program) throw new Error(`${archive.url} holds no file ${archive.program}`);
  await rename(path.join(program.parentPath, program.name), file);
  await chmod(file, 0o755);
  await rm(packed);
  await rm(unpacked, { recursive: true });
}

async function save(archive: Archive, file: string, log: (line: string) => void): Promise<void> {
  const { url, sha256 } = archive;
  const answer = await fetch(url, { signal: AbortSignal.timeout(DOWNLOAD_LIMIT_MS) });
  if (!answer.ok || answer.body === null) throw new Error(`${url} answered ${answer.status}`);
  const total = Number(answer.headers.get('content-length') ?? 0);
  const hash = createHash('sha256');
  let bytes = 0;
  let shownAt = performance.now();
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      hash.update(chunk);
      if (performance.now() - shownAt > PROGRESS_MS) {
        shownAt = performance.now();
        const size = `${Math.round(bytes / BYTES_PER_MB)} of ${Math.round(total / BYTES_PER_MB)}`;
        log(`downloading ${path.basename(new URL(url).pathname)}: ${size} MB`);
      }
      done(bytes > SIZE_LIMIT_BYTES ? new Error(`${url} is too long`) : null, chunk);
    },
  });
  // fetch and node:stream/web describe the same stream with two types.
  const body = Readable.fromWeb(answer.body as ReadableStream<Uint8Array>);
  await pipeline(body, counter, createWriteStream(file));
  const found = hash.digest('hex');
  if (found === sha256) return;
  throw new HashError(`${url} has the wrong SHA-256: expected ${sha256}, found ${found}`);
}
