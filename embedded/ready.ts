/** The file that tells others where everything is, once everything answers. */
import { rename, rm, writeFile } from 'node:fs/promises';

export interface ReadyFile {
  /** Notes process ids; a file that is published is written anew. */
  note(pids: Readonly<Record<string, number | undefined>>): void;
  /** Writes the file, and from now on again with each change of a process id. */
  publish(facts: Readonly<Record<string, unknown>>): Promise<void>;
  remove(): Promise<void>;
}

/** A file that is replaced whole, so that nobody ever reads half of it. */
export function makeReadyFile(file: string): ReadyFile {
  const pids: Record<string, number | undefined> = {};
  let published: Readonly<Record<string, unknown>> | undefined;
  let writing: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    if (!published) return;
    const text = JSON.stringify({ ...published, pids }, null, 2);
    await rm(`${file}.new`, { force: true });
    await writeFile(`${file}.new`, `${text}\n`, { mode: 0o600 });
    await rename(`${file}.new`, file);
  }

  /** One write after the other: the last one tells what is true. */
  const inTurn = async (task: () => Promise<void>): Promise<void> => {
    writing = writing.then(task);
    return writing;
  };

  return {
    note(changed) {
      Object.assign(pids, changed);
      void inTurn(write);
    },
    async publish(facts) {
      published = facts;
      await inTurn(write);
    },
    async remove() {
      published = undefined;
      await inTurn(async () => rm(file, { force: true }));
    },
  };
}
