/** Things that a test file opens once for all its tests. */
import { afterAll } from 'vitest';

/** Returns what was opened, and closes it after the tests of the file that calls this. */
export function forFile<T extends { close(): Promise<unknown> }>(opened: T): T {
  afterAll(async () => opened.close());
  return opened;
}
