import { closeSync, copyFileSync, fstatSync, ftruncateSync, mkdirSync, openSync } from 'node:fs';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';

/** A log this long has told enough; the one before it is kept too, so a disk holds twice this. */
const LIMIT_BYTES = 10 * 1024 * 1024;

/** A server that complains at full speed writes some megabytes in this time, not gigabytes. */
const CHECK_MS = 5_000;

/** What an error message quotes of a log. */
const TAIL_CHARACTERS = 1_500;

/** A file that children write into directly, so that they never wait for us or miss us. */
export interface LogFile {
  /** To be given to a child as its output; everything is appended. */
  descriptor: number;
  /** The last lines, for an error message. */
  tail(): string;
  close(): void;
}

/** Opens a fresh log; the one of the last start is kept beside it as `<file>.1`. */
export function openLog(file: string): LogFile {
  mkdirSync(path.dirname(file), { recursive: true });
  if (existsSync(file)) renameSync(file, `${file}.1`);
  const descriptor = openSync(file, 'a', 0o600);
  const timer = setInterval(() => {
    if (fstatSync(descriptor).size <= LIMIT_BYTES) return;
    // The children hold the same open file, so it is emptied instead of replaced.
    keepCopy(file);
    ftruncateSync(descriptor);
  }, CHECK_MS).unref();
  return {
    descriptor,
    tail: () => readFileSync(file, 'utf8').slice(-TAIL_CHARACTERS).trim(),
    close() {
      clearInterval(timer);
      closeSync(descriptor);
    },
  };
}

/** On a full disk there is no copy, and the log is emptied all the same: that gives room. */
function keepCopy(file: string): void {
  try {
    copyFileSync(file, `${file}.1`);
  } catch {
    rmSync(`${file}.1`, { force: true });
  }
}
