import * as fs from 'node:fs';
import path from 'node:path';

/** The length at which a log is emptied. One older copy is kept, so a disk holds twice this. */
const LIMIT_BYTES = 10 * 1024 * 1024;

/** The interval of the check: at full speed a server writes some megabytes in this time. */
const CHECK_MS = 5_000;

/** The part of a log that an error message quotes. */
const TAIL_CHARACTERS = 1_500;

/** A file that children write to directly, so that a crash of this program loses no output. */
interface LogFile {
  /** The output to give to a child. Everything is appended. */
  descriptor: number;
  /** Returns the last lines, for an error message. */
  tail(): string;
  close(): void;
}

/** Opens a new log, and keeps the log of the last start as `<file>.1`. */
export function openLog(file: string): LogFile {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  if (fs.existsSync(file)) fs.renameSync(file, `${file}.1`);
  const descriptor = fs.openSync(file, 'a', 0o600);
  const timer = setInterval(() => {
    if (fs.fstatSync(descriptor).size <= LIMIT_BYTES) return;
    // The children hold the same open file, so it is emptied instead of replaced.
    keepCopy(file);
    fs.ftruncateSync(descriptor);
  }, CHECK_MS).unref();
  return {
    descriptor,
    tail: () => fs.readFileSync(file, 'utf8').slice(-TAIL_CHARACTERS).trim(),
    close() {
      clearInterval(timer);
      fs.closeSync(descriptor);
    },
  };
}

/** Copies the log. On a full disk, deletes the old copy instead, which frees space. */
function keepCopy(file: string): void {
  try {
    fs.copyFileSync(file, `${file}.1`);
  } catch {
    fs.rmSync(`${file}.1`, { force: true });
  }
}
