/** The bytes of merchants' logos. */
import { Binary } from 'mongodb';
import type { AuditEntry } from '../domain/audit.ts';
import type { Logo, Merchant } from '../domain/merchant.ts';
import { insertAudit } from './audit.ts';
import type { Mongo } from './mongo.ts';
import type { LogoRow } from './rows.ts';

interface LogoChange {
  /** Null to remove the logo. */
  readonly next: { readonly logo: Logo; readonly bytes: Uint8Array } | null;
  readonly compose: (before: Logo | undefined) => AuditEntry;
}

/**
 * Replaces the merchant's logo, and deletes the bytes of the one before. Writes nothing if the logo
 * stays the same. Returns the merchant before the change, or null if it does not exist. Of two
 * changes at once, one waits for the other, so no bytes are left without a merchant.
 */
export async function changeLogo(
  mongo: Mongo,
  merchantId: string,
  { next, compose }: LogoChange,
): Promise<Merchant | null> {
  return mongo.transact(async (session) => {
    const merchant = await mongo.merchants.findOne({ _id: merchantId }, { session });
    if (!merchant || merchant.logo?.id === next?.logo.id) return merchant;
    const change = next ? { $set: { logo: next.logo } } : { $unset: { logo: true as const } };
    await mongo.merchants.updateOne({ _id: merchantId }, change, { session });
    if (merchant.logo) await mongo.logos.deleteOne({ _id: merchant.logo.id }, { session });
    if (next) {
      const { id: _id, type } = next.logo;
      const row = { _id, type, merchant_id: merchantId, bytes: new Binary(next.bytes) };
      await mongo.logos.insertOne(row, { session });
    }
    await insertAudit(mongo, session, compose(merchant.logo));
    return merchant;
  });
}

/** A picture to send. */
export interface StoredLogo extends Pick<Logo, 'type'> {
  readonly bytes: Buffer;
}

/** Returns the logos by their ids. Leaves out unknown ids. */
export async function findLogos(
  { logos }: Mongo,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredLogo>> {
  const rows: LogoRow[] = await logos.find({ _id: { $in: [...ids] } }).toArray();
  return new Map(
    rows.map(({ _id, type, bytes }) => [_id, { type, bytes: Buffer.from(bytes.value()) }]),
  );
}
