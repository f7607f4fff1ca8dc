/**
 * `tollgate migrate`: creates the indexes of this version, drops those of earlier ones, and lets the
 * search find the payments of earlier versions.
 */
import { readConfig } from '../config.ts';
import { backfillTerms } from '../store/backfill.ts';
import { migrateIndexes } from '../store/migrate.ts';
import type { IndexChange, IndexProgress } from '../store/migrate.ts';
import { openMongo } from '../store/mongo.ts';
import type { Mongo } from '../store/mongo.ts';
import { requireIndexes, surveyIndexes } from '../store/survey.ts';
import type { IndexState } from '../store/survey.ts';
import { run } from './act.ts';
import { openDatabase } from './services.ts';

interface Row {
  readonly collection: string;
  readonly index: string;
  readonly state: IndexChange['state'] | IndexState;
  readonly reason?: string;
}

interface Report {
  readonly database: string;
  /** True if the database has every index of this version, and no old ones. */
  readonly ok: boolean;
  /** The changes that were made or, with `--check`, are still to be made. */
  readonly indexes: readonly Row[];
  /** Payments of earlier versions that the search can find now. */
  readonly payments_indexed?: number;
  readonly next: string;
}

/** Creates the indexes, or with `check` only compares them, and prints the report. */
export async function migrate(options: { check?: boolean; json?: boolean }): Promise<void> {
  await run(options, async () => changeOrCompare(options), toText);
}

async function changeOrCompare({ check }: { check?: boolean }): Promise<Report> {
  const mongo = await openDatabase(readConfig(), { patient: true });
  try {
    const report = check ? await compare(mongo) : await change(mongo);
    if (!report.ok) process.exitCode = 1;
    return report;
  } finally {
    await mongo.close();
  }
}

async function compare(mongo: Mongo): Promise<Report> {
  const survey = await surveyIndexes(mongo);
  const indexes = survey.map(({ collection, index, state }) => ({ collection, index, state }));
  const ok = indexes.every(({ state }) => state === 'foreign');
  return reportOf(mongo, { ok, indexes, next: 'Run `tollgate migrate`.' });
}

async function change(mongo: Mongo): Promise<Report> {
  const indexes = await migrateIndexes(mongo, (progress) => {
    process.stderr.write(`${progressLine(progress)}\n`);
  });
  const ok = indexes.every(({ state }) => state !== 'failed');
  const next = 'Everything else is done. Fix the cause, and run `tollgate migrate` again.';
  if (!ok) return reportOf(mongo, { ok, indexes, next });
  const payments_indexed = await backfillTerms(mongo, (filled) => {
    process.stderr.write(`${termsLine(filled)}\n`);
  });
  return reportOf(mongo, { ok, indexes, payments_indexed, next });
}

function reportOf({ db }: Mongo, { next, ...report }: Omit<Report, 'database'>): Report {
  const { databaseName: database } = db;
  const done = `The database ${database} has the indexes that this version needs.`;
  return { database, ...report, next: report.ok ? done : next };
}

function toText({ indexes, next }: Report): string {
  return [...indexes.map(changeLine), next].join('\n');
}

/** Returns a line about one index and its change. */
function changeLine({ collection, index, state, reason }: Row): string {
  const why = state === 'foreign' ? 'not created by Tollgate, and kept' : reason;
  return `${state.padEnd(9)}  ${collection}.${index}${why === undefined ? '' : `: ${why}`}`;
}

/** Returns a line about the progress of a build. */
function progressLine({ collection, seconds, done, total }: IndexProgress): string {
  const share = done === undefined || total === undefined ? '' : `, ${done} of ${total} documents`;
  return `Building indexes of ${collection}: ${seconds} s${share}`;
}

const termsLine = (filled: number): string => `Adding search terms to payments: ${filled}`;

/** Creates the indexes that server and worker require. Throws `IndexesMissing` if one fails. */
export async function prepareDatabase(uri: string, log: (line: string) => void): Promise<void> {
  const mongo = await openMongo({ uri, patient: true });
  try {
    const changes = await migrateIndexes(mongo, (progress) => log(progressLine(progress)));
    for (const made of changes) if (made.state === 'failed') log(changeLine(made));
    await requireIndexes(mongo);
    await backfillTerms(mongo, (filled) => log(termsLine(filled)));
  } finally {
    await mongo.close();
  }
}
