/** Resources that a test file opens once for all its tests. */
import { afterAll } from 'vitest';

/** Returns `opened`, and closes it after all tests of the calling file. */
export function closeAfterTests<T extends { close(): Promise<unknown> }>(opened: T): T {
  afterAll(async () => opened.close());
  return opened;
}
