import { MongoClient, MongoServerError, type Document } from 'mongodb';

/** On the same machine an answer takes milliseconds; ten times a slow one. */
const ANSWER_LIMIT_MS = 2_000;

/** MongoDB's error code for a member that belongs to no replica set yet. */
const NOT_YET_INITIALIZED = 94;

/** True when the server takes writes. Throws when it does not answer. */
export async function isPrimary(port: number): Promise<boolean> {
  return withAdmin(port, async (command) => {
    await command({ ping: 1 });
    return (await command({ hello: 1 }))['isWritablePrimary'] === true;
  });
}

/**
 * Makes the server the only member of a replica set, under its present port, where it is not yet.
 * True when it takes writes. Throws when it does not answer.
 */
export async function becomesPrimary(port: number, replicaSet: string): Promise<boolean> {
  if (await isPrimary(port)) return true;
  await withAdmin(port, async (command) => {
    const host = `127.0.0.1:${port}`;
    const config = await configuration(command);
    if (config === undefined) {
      const fresh = { _id: replicaSet, members: [{ _id: 0, host }] };
      await command({ replSetInitiate: fresh });
      return;
    }
    const member: unknown = config['members'][0];
    if (typeof member !== 'object' || member === null) return;
    if ('host' in member && member.host === host) return;
    // The data was made under another port: the member does not know itself any more.
    const changed = { ...config, version: config['version'] + 1, members: [{ _id: 0, host }] };
    await command({ replSetReconfig: changed, force: true });
  });
  return isPrimary(port);
}

type Command = (command: Document) => Promise<Document>;

async function configuration(command: Command): Promise<Document | undefined> {
  try {
    return (await command({ replSetGetConfig: 1 }))['config'];
  } catch (error) {
    if (error instanceof MongoServerError && error.code === NOT_YET_INITIALIZED) return undefined;
    throw error;
  }
}

async function withAdmin<Result>(
  port: number,
  work: (command: Command) => Promise<Result>,
): Promise<Result> {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/`, {
    directConnection: true,
    serverSelectionTimeoutMS: ANSWER_LIMIT_MS,
    connectTimeoutMS: ANSWER_LIMIT_MS,
    socketTimeoutMS: ANSWER_LIMIT_MS,
  });
  try {
    return await work((command) => client.db('admin').command(command));
  } finally {
    await client.close();
  }
}
