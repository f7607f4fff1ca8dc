/**
 * The style sheets and scripts of payment pages, by their hash. While versions of Tollgate run side
 * by side, a page of one may load its files from the other, and browsers refuse other bytes.
 */
import { Binary } from 'mongodb';
import type { Mongo } from './mongo.ts';

export interface PageFile {
  /** SHA-384 in base64url. */
  readonly hash: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/** Stores the files that are not there yet. They are some kilobytes of each release, and stay. */
export async function keepFiles({ files }: Mongo, all: readonly PageFile[]): Promise<void> {
  await files.bulkWrite(
    all.map(({ hash, type, bytes }) => ({
      updateOne: {
        filter: { _id: hash },
        update: { $setOnInsert: { type, bytes: new Binary(bytes) } },
        upsert: true,
      },
    })),
    { ordered: false },
  );
}

/** Returns the files by their hashes. Leaves out unknown hashes. */
export async function findFiles(
  { files }: Mongo,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, PageFile>> {
  const rows = await files.find({ _id: { $in: [...hashes] } }).toArray();
  return new Map(
    rows.map(({ _id, type, bytes }) => [
      _id,
      { hash: _id, type, bytes: Buffer.from(bytes.value()) },
    ]),
  );
}
