import { reason } from './wait.ts';

/** One place where a program may come from. */
export interface Source<Found> {
  /** As it stands in the error that lists everything tried. */
  what: string;
  /** Throws, with the reason, when it is not to be had here. */
  find(): Promise<Found>;
}

export interface Search<Found> {
  /** What is looked for, as in "No ... could be had". */
  subject: string;
  sources: readonly Source<Found>[];
  /** What a person can do when nothing was found. */
  advice: string;
}

/** Nothing could be had: the message lists each source with its reason, and what to install. */
export class NothingFoundError extends Error {
  override name = 'NothingFoundError';
}

/** Tries the sources in their order and answers with the first find. */
export async function findFirst<Found>(search: Search<Found>): Promise<Found> {
  const tried: string[] = [];
  for (const source of search.sources) {
    try {
      return await source.find();
    } catch (error) {
      tried.push(`  - ${source.what}: ${reason(error)}`);
    }
  }
  const list = tried.join('\n');
  throw new NothingFoundError(
    `No ${search.subject} could be had. Tried, in this order:\n${list}\n${search.advice}`,
  );
}
