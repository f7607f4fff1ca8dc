import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { execa } from 'execa';
import type { Archive } from './archives.ts';
import { fillFolder } from './cache.ts';
import { reason } from './errors.ts';

type Log = (line: string) => void;

/** A reachable server responds within this time. Otherwise the next source is tried soon. */
const PROBE_LIMIT_MS = 3_000;

/** An archive has 60 to 100 MB: minutes on a slow connection. */
const DOWNLOAD_LIMIT_MS = 10 * 60 * 1000;

/** Several times the largest archive. A longer response is something else. */
const SIZE_LIMIT_BYTES = 1024 * 1024 * 1024;

const PROGRESS_MS = 5_000;
const BYTES_PER_MB = 1_000_000;

/** An error because a download is not the file that was published: it was changed or cut off. */
export class HashError extends Error {
  override name = 'HashError';
}

/** Sends the server a request. Throws if it does not respond within 3 s. */
export async function probe(url: string): Promise<void> {
  try {
    await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(PROBE_LIMIT_MS) });
  } catch (error) {
    // The message of fetch is only that it failed; the reason is in the cause.
    const why = reason((error as Error).cause ?? error);
    throw new Error(`${new URL(url).host} cannot be reached: ${why}`, { cause: error });
  }
}

/**
 * Downloads an archive, verifies it, and keeps only its program, as `file` in a new folder of the
 * cache. Throws a `HashError` if the SHA-256 is wrong, and unpacks nothing then.
 */
export async function download(archive: Archive, file: string, log: Log): Promise<string> {
  await probe(new URL(archive.url).origin);
  await fillFolder(path.dirname(file), async (folder) => {
    const packed = path.join(folder, 'packed.tar.gz');
    const unpacked = path.join(folder, 'unpacked');
    await save(archive, packed, log);
    await mkdir(unpacked);
    await execa('tar', ['-xzf', packed, '-C', unpacked]);
    const entries = await readdir(unpacked, { recursive: true, withFileTypes: true });
    const program = entries.find((entry) => entry.isFile() && entry.name === archive.program);
    if (!program) throw new Error(`${archive.url} holds no file ${archive.program}`);
    const kept = path.join(folder, path.basename(file));
    await rename(path.join(program.parentPath, program.name), kept);
    await chmod(kept, 0o755);
    await rm(packed);
    await rm(unpacked, { recursive: true });
  });
  return file;
}

async function save({ url, sha256 }: Archive, file: string, log: Log): Promise<void> {
  const { body, headers, ok, status } = await fetch(url, {
    signal: AbortSignal.timeout(DOWNLOAD_LIMIT_MS),
  });
  if (!ok || body === null) throw new Error(`${url} returned status ${status}`);
  const totalMb = Math.round(Number(headers.get('content-length') ?? 0) / BYTES_PER_MB);
  const hash = createHash('sha256');
  let bytes = 0;
  let shownAt = performance.now();
  const watched = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > SIZE_LIMIT_BYTES) throw new Error(`${url} is too long`);
      hash.update(chunk);
      if (performance.now() - shownAt > PROGRESS_MS) {
        shownAt = performance.now();
        const name = path.basename(new URL(url).pathname);
        log(`downloading ${name}: ${Math.round(bytes / BYTES_PER_MB)} of ${totalMb} MB`);
      }
      yield chunk;
    }
  };
  await pipeline(body, watched, createWriteStream(file));
  const found = hash.digest('hex');
  if (found === sha256) return;
  const fault = `${url} has the wrong SHA-256: expected ${sha256}, found ${found}`;
  // The start may find the program elsewhere, but a wrong hash must not go unnoticed.
  log(`REFUSED: ${fault}`);
  throw new HashError(fault);
}
