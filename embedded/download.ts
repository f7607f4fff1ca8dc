import { createWriteStream } from 'node:fs';
import { chmod, mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';

import { execa } from 'execa';

import { reason } from './wait.ts';

/** A reachable server answers within this; without a connection the next source comes quickly. */
const PROBE_LIMIT_MS = 3_000;

/** An archive is 60 to 100 MB: minutes on a slow line. After this the next source comes. */
export const DOWNLOAD_LIMIT_MS = 10 * 60 * 1000;

/** Several times the largest archive: an answer that is longer is not one of them. */
const SIZE_LIMIT_BYTES = 1024 * 1024 * 1024;

const PROGRESS_MS = 5_000;

const BYTES_PER_MB = 1_000_000;

export interface TemporalDownload {
  artifact: 'cli' | 'temporal-test-server';
  /** A release, or `default` for the one that suits the SDK named in the query. */
  version: string;
  query?: Record<string, string>;
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
 * Downloads one of Temporal's programs, by the same service that the SDKs ask for their test
 * servers, into `<folder>/<artifact>`. Throws when it is not to be had.
 */
export async function downloadTemporal(
  wanted: TemporalDownload,
  folder: string,
  log: (line: string) => void,
): Promise<void> {
  const place = await locate(wanted);
  const archive = path.join(folder, 'archive.tar.gz');
  const unpacked = path.join(folder, 'unpacked');
  await save(place.archiveUrl, archive, log);
  await mkdir(unpacked);
  await execa('tar', ['-xzf', archive, '-C', unpacked]);
  const program = path.join(folder, wanted.artifact);
  await rename(path.join(unpacked, place.fileToExtract), program);
  await chmod(program, 0o755);
  await rm(archive);
  await rm(unpacked, { recursive: true });
}

async function locate(wanted: TemporalDownload): Promise<Place> {
  const url = new URL(`https://temporal.download/${wanted.artifact}/${wanted.version}`);
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const query = { platform: process.platform, arch, format: 'tar.gz', ...wanted.query };
  url.search = new URLSearchParams(query).toString();
  await probe(url.origin);
  const answer = await fetch(url, { signal: AbortSignal.timeout(PROBE_LIMIT_MS * 3) });
  if (!answer.ok) throw new Error(`${url.href} answered ${answer.status}`);
  const place: unknown = await answer.json();
  if (!isPlace(place)) throw new Error(`${url.href} did not name an archive`);
  return place;
}

interface Place {
  archiveUrl: string;
  fileToExtract: string;
}

function isPlace(value: unknown): value is Place {
  if (typeof value !== 'object' || value === null) return false;
  if (!('archiveUrl' in value) || !('fileToExtract' in value)) return false;
  const { archiveUrl, fileToExtract } = value;
  const https = typeof archiveUrl === 'string' && archiveUrl.startsWith('https://');
  return https && typeof fileToExtract === 'string' && !fileToExtract.includes('..');
}

async function save(url: string, file: string, log: (line: string) => void): Promise<void> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(DOWNLOAD_LIMIT_MS) });
  if (!answer.ok || answer.body === null) throw new Error(`${url} answered ${answer.status}`);
  const total = Number(answer.headers.get('content-length') ?? 0);
  let bytes = 0;
  let shownAt = performance.now();
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
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
}
