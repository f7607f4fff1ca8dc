/** Every place where a running service stores something: its data, its logs, its histories. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from '@temporalio/client';
import type { Connection } from '@temporalio/client';
import { MongoClient } from 'mongodb';
import { bytesOf } from './search.ts';

const run = promisify(execFile);

export interface Place {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Returns every document of every database, or of `only`, as the bytes of its BSON. */
export async function readDatabases(uri: string, only?: string): Promise<Place[]> {
  const client = await MongoClient.connect(uri);
  try {
    const { databases } = await client.db().admin().listDatabases({ nameOnly: true });
    const places: Place[] = [];
    for (const { name } of databases) {
      if (only !== undefined && name !== only) continue;
      const db = client.db(name);
      for (const { name: collection } of await db
        .listCollections({}, { nameOnly: true })
        .toArray()) {
        const rows = await db.collection(collection).find({}, { raw: true }).toArray();
        const bytes = Buffer.concat(rows as unknown as Buffer[]);
        places.push({ name: `collection ${name}.${collection}`, bytes });
      }
    }
    return places;
  } finally {
    await client.close();
  }
}

/** Returns every file below the folder whose name matches. */
export async function readFiles(
  folder: string,
  isWanted: (name: string) => boolean,
): Promise<Place[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && isWanted(entry.name));
  return Promise.all(
    files.map(async (entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return { name: `file ${path.relative(folder, file)}`, bytes: await readFile(file) };
    }),
  );
}

/** Returns all that Temporal has of the workflows, schedules and activities of a namespace. */
export async function readTemporal(connection: Connection, namespace: string): Promise<Place[]> {
  const client = new Client({ connection, namespace });
  const service = client.workflowService;
  const places: Place[] = [];
  const add = (name: string, value: unknown): void =>
    void places.push({ name, bytes: bytesOf(value) });
  for await (const { workflowId, runId, raw } of client.workflow.list()) {
    const execution = { workflowId, runId };
    add(`list entry of ${workflowId}`, raw);
    add(
      `history of ${workflowId}`,
      await client.workflow.getHandle(workflowId, runId).fetchHistory(),
    );
    add(
      `description of ${workflowId}`,
      await service.describeWorkflowExecution({ namespace, execution }),
    );
  }
  for await (const { activityId, activityRunId } of client.activity.list('')) {
    const all = {
      includeInput: true,
      includeOutcome: true,
      includeHeartbeatDetails: true,
      includeLastFailure: true,
    };
    const which = { namespace, activityId, runId: activityRunId, ...all };
    add(`activity ${activityId}`, await service.describeActivityExecution(which));
  }
  for await (const { scheduleId } of client.schedule.list()) {
    add(`schedule ${scheduleId}`, await service.describeSchedule({ namespace, scheduleId }));
  }
  return places;
}

const LOOK_EVERY_MS = 200;

/** Returns an empty text for a process that has ended. */
async function readCommandLine(pid: string): Promise<string> {
  return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
}

/** Returns the command lines of all processes of this machine, which every user can see. */
async function readCommandLines(): Promise<string[]> {
  if (!existsSync('/proc/self/cmdline')) {
    return (await run('ps', ['-A', '-ww', '-o', 'args='])).stdout.split('\n');
  }
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return (await Promise.all(pids.map(readCommandLine))).map((line) => line.replaceAll('\0', ' '));
}

/** Collects command lines until the returned function is called, which returns them. */
export function watchCommandLines(): () => Promise<Place> {
  const seen = new Set<string>();
  const over = new AbortController();
  const watching = (async () => {
    while (!over.signal.aborted) {
      for (const line of await readCommandLines()) seen.add(line);
      await sleep(LOOK_EVERY_MS);
    }
  })();
  return async () => {
    over.abort();
    await watching;
    return { name: 'command lines', bytes: Buffer.from([...seen].join('\n')) };
  };
}
