/** The file with the addresses of all servers, for other programs. Written once all respond. */
import { rmSync } from 'node:fs';
import { replaceFile } from './files.ts';

export interface ReadyFile {
  /** Records process ids. Rewrites the file if it is published. */
  note(pids: Readonly<Record<string, number | undefined>>): void;
  /** Writes the file now, and again whenever a process id changes. */
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
