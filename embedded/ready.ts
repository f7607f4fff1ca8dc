/** The file that tells other programs where everything is, once everything responds. */
import { rmSync } from 'node:fs';
import { replaceFile } from './files.ts';

export interface ReadyFile {
  /** Notes process ids. Writes the file again if it is published. */
  note(pids: Readonly<Record<string, number | undefined>>): void;
  /** Writes the file, and from now on again with each change of a process id. */
  publish(facts: Readonly<Record<string, unknown>>): void;
  remove(): void;
}

export function makeReadyFile(file: string): ReadyFile {
  const pids: Record<string, number | undefined> = {};
  let published: Readonly<Record<string, unknown>> | undefined;
  const write = (): void => {
    if (published) replaceFile(file, `${JSON.stringify({ ...published, pids }, null, 2)}\n`);
  };
  return {
    note(changed) {
      Object.assign(pids, changed);
      write();
    },
    publish(facts) {
      published = facts;
      write();
    },
    remove() {
      published = undefined;
      rmSync(file, { force: true });
    },
  };
}
