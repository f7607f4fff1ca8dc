import { describe, expect, it } from 'vitest';
import { MAX_LOGO_KIB, removeLogo, setLogo } from '../../operations/logo.ts';
import { rejection } from '../store/database.ts';
import { mintId } from '../../store/mint.ts';
import { entriesAbout, withoutAudit } from '../support/audit.ts';
import { makePng, pngChunk } from '../support/pictures.ts';
import { refusalOf } from './endpoints.ts';
import { useGround } from './ground.ts';

const ground = await useGround('logo');
const { mongo, services } = ground;

const set = async (file: Buffer, merchant = ground.merchant) =>
  setLogo(services, { merchant, file });
const remove = async () => removeLogo(services, { merchant: ground.merchant });

/** Returns the merchant's logo, its stored bytes, and the ids of all logos of the merchant. */
async function read(merchant = ground.merchant) {
  const row = await mongo.merchants.findOne({ _id: merchant });
  const stored = await mongo.logos.find({ merchant_id: merchant }).toArray();
  return { logo: row?.logo, ids: stored.map(({ _id }) => _id), stored };
}

describe('setLogo', () => {
  it('stores the bytes without metadata, and records the change', async () => {
    await set(makePng({ chunks: [pngChunk('tEXt', Buffer.from('Comment'))] }));
    const { logo, ids, stored } = await read();
    const shape = { type: 'image/png', width: 96, height: 32 };
    expect(logo).toEqual({ id: expect.stringMatching(/^[\da-f]{64}$/), ...shape });
    expect(ids).toEqual([logo!.id]);
    expect(Buffer.from(stored[0]!.bytes.value())).toEqual(makePng());
    expect(await entriesAbout(mongo, ground.merchant)).toMatchObject([
      { action: 'merchant.update', before: { logo: null }, after: { logo } },
    ]);
  });

  it('replaces the logo, and deletes the bytes of the one before', async () => {
    await set(makePng());
    const { logo: before } = await read();
    await set(makePng({ grey: 1 }));
    const { logo: after, ids } = await read();
    expect(after!.id).not.toBe(before!.id);
    expect(ids).toEqual([after!.id]);
    const [, entry] = await entriesAbout(mongo, ground.merchant);
    expect(entry).toMatchObject({ before: { logo: before }, after: { logo: after } });
  });

  it('records nothing if the same picture is uploaded again', async () => {
    await set(makePng());
    await set(makePng({ chunks: [pngChunk('tEXt')] }));
    expect(await entriesAbout(mongo, ground.merchant)).toHaveLength(1);
  });

  it('keeps the same pictures of two merchants apart', async () => {
    const other = await ground.addMerchant();
    await set(makePng());
    await set(makePng(), other);
    expect((await read()).logo!.id).not.toBe((await read(other)).logo!.id);
    await remove();
    expect((await read(other)).ids).toHaveLength(1);
  });

  it('leaves one logo of several that are uploaded at once', async () => {
    const pictures = [1, 2, 3, 4].map((grey) => makePng({ grey }));
    await Promise.all([...pictures.map(async (picture) => set(picture)), remove()]);
    await set(makePng());
    const { logo, ids } = await read();
    expect(ids).toEqual([logo!.id]);
  });

  it('changes nothing if it fails before its end', async () => {
    await set(makePng());
    const before = await read();
    const failing = withoutAudit(mongo, async () => set(makePng({ grey: 1 })));
    await expect(failing).rejects.toThrow('The audit cannot be written.');
    await expect(withoutAudit(mongo, remove)).rejects.toThrow('The audit cannot be written.');
    expect(await read()).toEqual(before);
  });

  it.each([
    ['no file', Buffer.alloc(0), 'Choose a file.'],
    ['a large file', Buffer.alloc(MAX_LOGO_KIB * 1_024 + 1), 'at most 64 KiB'],
    ['another format', Buffer.from('<svg/>'), 'must be a PNG'],
    ['a short side', makePng({ height: 15 }), '16 to 2000 pixels'],
    ['a long side', makePng({ width: 2_001 }), '16 to 2000 pixels'],
  ])('refuses %s', async (_, file, message) => {
    expect(await rejection(set(file))).toMatchObject({
      errors: [{ param: 'logo', message: expect.stringContaining(message) }],
    });
    expect((await read()).logo).toBeUndefined();
  });

  it('refuses an unknown merchant', async () => {
    const unknown = set(makePng(), mintId('merchant'));
    expect(await refusalOf(unknown)).toEqual(['resource_missing', 'merchant']);
  });
});

describe('removeLogo', () => {
  it('deletes the bytes once, however often it is asked to', async () => {
    await set(makePng());
    await Promise.all([remove(), remove()]);
    expect(await read()).toEqual({ logo: undefined, ids: [], stored: [] });
    const entries = await entriesAbout(mongo, ground.merchant);
    expect(entries.map(({ after }) => after?.['logo'])).toEqual([expect.anything(), null]);
  });
});
