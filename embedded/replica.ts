import { MongoClient, MongoServerError, type Document } from 'mongodb';

/** Far more than a slow response on the same machine takes. */
const RESPONSE_LIMIT_MS = 2_000;

/** MongoDB's error code for a member that belongs to no replica set yet. */
const NOT_YET_INITIALIZED = 94;

/** Returns true if the server accepts writes. Throws if it does not respond. */
export async function isPrimary(port: number): Promise<boolean> {
  return withAdmin(port, async (command) => {
    await command({ ping: 1 });
    return (await command({ hello: 1 }))['isWritablePrimary'] === true;
  });
}

/**
 * Makes the server the only member of a replica set, under its current port. Returns true if it
 * accepts writes. Throws if it does not respond.
 */
export async function becomesPrimary(port: number, replicaSet: string): Promise<boolean> {
  if (await isPrimary(port)) return true;
  const members = [{ _id: 0, host: `127.0.0.1:${port}` }];
  await withAdmin(port, async (command) => {
    const config = await configuration(command);
    if (config === undefined) {
      await command({ replSetInitiate: { _id: replicaSet, members } });
    } else if (config['members'][0]?.host !== members[0]?.host) {
      // The data was created under another port, so the member does not recognise itself.
      const changed = { ...config, version: config['version'] + 1, members };
      await command({ replSetReconfig: changed, force: true });
    }
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
    serverSelectionTimeoutMS: RESPONSE_LIMIT_MS,
    connectTimeoutMS: RESPONSE_LIMIT_MS,
    socketTimeoutMS: RESPONSE_LIMIT_MS,
  });
  try {
    return await work((command) => client.db('admin').command(command));
  } finally {
    await client.close();
  }
}
