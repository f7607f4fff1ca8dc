/** Ids of other merchants, and texts that are no ids, in every address. */
import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../dashboard/routes.ts';
import { openGround } from './harness.ts';
import { everything, fill, isForm, makeVisitor, malformedIds } from './world.ts';
import { send, stock, unknownIds } from './world.ts';
import type { Ids } from './world.ts';

const ground = await openGround('dashboard-ids');
const { mongo, merchant } = ground;
const owner = await makeVisitor(ground, { role: 'owner', merchantId: merchant._id });
const foreign = await stock(ground, await ground.addMerchant());
const unknown = unknownIds();

const WITH_IDS = ROUTES.filter(
  ({ kind, path }) => /^(?:page|action)$/.test(kind) && /:/.test(path),
);
const CASES = WITH_IDS.map((route) => [`${route.kind} ${route.path}`, route] as const);

/** Returns the response without the id, so that two responses can be compared. */
async function ask(route: (typeof WITH_IDS)[number], ids: Ids) {
  const path = fill(route.path, ids);
  const form = isForm(route) ? { form: {} } : {};
  const { status, html } = await send(ground, owner, { path, ...form });
  return { status, html: html.replaceAll(path, '') };
}

describe('an id that the merchant does not have', () => {
  it.each(CASES)('is not found by %s, and another merchant learns nothing', async (_, route) => {
    const before = await everything(mongo);
    const [ofOther, ofNobody] = [await ask(route, foreign), await ask(route, unknown)];
    const malformed = await ask(route, malformedIds());
    // A form may be refused for its empty fields before its id is looked up.
    const expected = isForm(route) ? [404, 422] : [404];
    expect(expected).toContain(ofOther.status);
    expect(expected).toContain(malformed.status);
    expect(ofOther).toEqual(ofNobody);
    expect(await everything(mongo)).toBe(before);
  });

  it('is tested for each kind of address', () => {
    expect(CASES.length).toBeGreaterThan(5);
  });
});
