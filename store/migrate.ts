/**
 * Creates the indexes of the list in a database, and drops obsolete ones. Safe to repeat, to
 * interrupt, and to run twice at once: each round surveys the database again, and drops no index
 * before its successor is built.
 */
import { MongoServerError } from 'mongodb';
import type { Document } from 'mongodb';
import { duplicateOf, isUnavailable } from './mongo.ts';
import type { CollectionName, Mongo } from './mongo.ts';
import { COLLECTIONS, isNeeded, surveyIndexes } from './survey.ts';
import type { IndexFinding } from './survey.ts';

export interface IndexChange {
  readonly collection: string;
  readonly index: string;
  readonly state: 'created' | 'dropped' | 'failed' | 'foreign';
  /** Why it failed. */
  readonly reason?: string;
}

/** The progress of a long build, with counts if the server reports them. */
export interface IndexProgress {
  readonly collection: string;
  readonly seconds: number;
  readonly done?: number;
  readonly total?: number;
}

type OnProgress = (progress: IndexProgress) => void;

const PROGRESS_EVERY_MS = 2_000;
/** The pause before a retry of a command that another build of the collection blocks. */
const BUSY_WAIT_MS = 1_000;
/** The most rounds: one builds, one drops, and the others are for changes by a second migration. */
const MAX_ROUNDS = 10;

const INDEX_NOT_FOUND = new Set([26, 27]);
/** IndexOptionsConflict, IndexKeySpecsConflict, IndexBuildAborted. */
const CONFLICTS = new Set([85, 86, 276]);
/** IndexBuildAlreadyInProgress, BackgroundOperationInProgressForNamespace. */
const BUSY = new Set([285, 12_587]);

/**
 * Builds needed indexes and drops obsolete ones, one collection after the other. An index that
 * cannot be built is reported as `failed`, and blocks no other. Rejects if the database becomes
 * unavailable: run it again then.
 */
export async function migrateIndexes(mongo: Mongo, onProgress: OnProgress = () => undefined) {
  const changes: IndexChange[] = [];
  for (const name of COLLECTIONS) changes.push(...(await migrateOne({ mongo, name, onProgress })));
  return changes;
}

interface Task {
  readonly mongo: Mongo;
  readonly name: CollectionName;
  readonly onProgress: OnProgress;
}

async function migrateOne(task: Task): Promise<IndexChange[]> {
  const changes: IndexChange[] = [];
  /** Indexes refused once, perhaps because of a second migration. A second refusal is final. */
  const refused = new Set<string>();
  const hasFailed = (index: string): boolean =>
    changes.some((change) => change.state === 'failed' && change.index === index);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const findings = await surveyIndexes(task.mongo, [task.name]);
    const needed = findings.filter(({ state, index }) => isNeeded(state) && !hasFailed(index));
    const obsolete = findings.filter(({ state }) => state === 'obsolete');
    if (needed.length > 0) {
      changes.push(...(await build(task, needed, refused)));
    } else if (obsolete.length > 0 && !changes.some(({ state }) => state === 'failed')) {
      for (const finding of obsolete) changes.push(...(await drop(task, finding)));
    } else {
      const foreign = findings.filter(({ state }) => state === 'foreign');
      return [...changes, ...foreign.map((finding) => changeOf(finding, 'foreign'))];
    }
  }
  const { collectionName } = task.mongo[task.name];
  throw new Error(`The indexes of ${collectionName} were not settled after ${MAX_ROUNDS} rounds.`);
}

function changeOf(
  { collection, index }: IndexFinding,
  state: IndexChange['state'],
  reason?: string,
): IndexChange {
  return { collection, index, state, ...(reason === undefined ? {} : { reason }) };
}

/** Builds the indexes together, which reads the collection once, or else one by one. */
async function build(task: Task, needed: readonly IndexFinding[], refused: Set<string>) {
  const { mongo, name } = task;
  const specs = needed.map(({ spec }) => spec);
  try {
    await watched(task, async () => whenFree(async () => mongo[name].createIndexes(specs)));
    return needed.map((finding) => changeOf(finding, 'created'));
  } catch (error) {
    if (!(error instanceof MongoServerError) || isUnavailable(error)) throw error;
    const [first, ...others] = needed;
    if (!first) return [];
    if (others.length === 0) return judgeRefusal(task, first, { error, refused });
    const changes: IndexChange[] = [];
    for (const each of needed) changes.push(...(await build(task, [each], refused)));
    return changes;
  }
}

/** Returns the change after a refusal, or none if the next round may find the index built. */
async function judgeRefusal(
  task: Task,
  finding: IndexFinding,
  { error, refused }: { error: MongoServerError; refused: Set<string> },
): Promise<IndexChange[]> {
  if (duplicateOf(error) !== undefined) {
    const fields = Object.keys(finding.spec.key).join(' and ');
    const reason = `Two documents have the same ${fields}: change or delete one, and run this again.`;
    return [changeOf(finding, 'failed', reason)];
  }
  const isFinal = refused.has(finding.index);
  refused.add(finding.index);
  if (!CONFLICTS.has(Number(error.code)) || isFinal) {
    return [changeOf(finding, 'failed', error.message)];
  }
  // MongoDB refuses a second index that differs only in its lifetime. A unique one is kept.
  const { rival, spec } = finding;
  if (rival === undefined || spec.unique === true) return [];
  return drop(task, { ...finding, index: rival, spec: { ...spec, name: rival } });
}

async function drop({ mongo, name }: Task, finding: IndexFinding): Promise<IndexChange[]> {
  try {
    await whenFree(async () => mongo[name].dropIndex(finding.spec.name));
    return [changeOf(finding, 'dropped')];
  } catch (error) {
    if (!(error instanceof MongoServerError) || isUnavailable(error)) throw error;
    // Another migration has dropped it.
    if (INDEX_NOT_FOUND.has(Number(error.code))) return [];
    return [changeOf(finding, 'failed', error.message)];
  }
}

/** Retries a command while another build of the collection blocks it. */
async function whenFree(send: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await send();
      return;
    } catch (error) {
      if (!(error instanceof MongoServerError) || !BUSY.has(Number(error.code))) throw error;
    }
    await new Promise((resolve) => {
      setTimeout(resolve, BUSY_WAIT_MS);
    });
  }
}

/** Reports the progress of the build at intervals until `work` is done. */
async function watched(
  { mongo, name, onProgress }: Task,
  work: () => Promise<void>,
): Promise<void> {
  const begunMs = Date.now();
  const { collectionName: collection } = mongo[name];
  const look = async (): Promise<void> => {
    // The build goes on even if the server does not let this user see its progress.
    const counts = await countsOf(mongo, collection).catch(() => ({}));
    onProgress({ collection, seconds: Math.round((Date.now() - begunMs) / 1_000), ...counts });
  };
  const timer = setInterval(() => void look(), PROGRESS_EVERY_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
}

/** Returns the server's counts for its build of that collection, if it reports any. */
async function countsOf(
  { db }: Mongo,
  collection: string,
): Promise<Pick<IndexProgress, 'done' | 'total'>> {
  const ours = [
    { ns: `${db.databaseName}.${collection}` },
    { 'command.createIndexes': collection },
  ];
  const pipeline = [
    { $currentOp: { allUsers: true } },
    { $match: { msg: /^Index Build/, $or: ours } },
  ];
  const { cursor } = await db.admin().command({ aggregate: 1, pipeline, cursor: {} });
  const [row] = cursor.firstBatch as Document[];
  const { done, total } = (row?.['progress'] ?? {}) as { done?: unknown; total?: unknown };
  return done === undefined || total === undefined
    ? {}
    : { done: Number(done), total: Number(total) };
}
