import { describe, expect, it } from 'vitest';
import { ROLES, may } from '../../../domain/user.ts';
import { openGround } from '../harness.ts';

const ground = await openGround('dashboard-settings');
const { mongo } = ground;

const SETTINGS = { name: 'Tea house', locale: 'hy', lifetime: '30', colour: '#1f4fd1' };

/** Signs an owner of a new merchant in. */
async function open() {
  const id = await ground.addMerchant();
  const owner = await ground.signIn('owner', id);
  const read = async () => (await mongo.merchants.findOne({ _id: id }))!;
  const entries = async () =>
    mongo.auditEntries
      .find({ merchant_id: id, action: 'merchant.update' })
      .sort({ _id: 1 })
      .toArray();
  return { id, owner, read, entries };
}

describe('GET /settings', () => {
  it.each(ROLES)('shows the %s what they may change', async (role) => {
    const { html, status } = await (await ground.signIn(role)).get('/settings');
    expect(status).toBe(200);
    expect(html).toContain('value="Tea house"');
    const main = html.slice(html.indexOf('<main'));
    expect(main.includes('class="main-button"')).toBe(may(role, 'settings.write'));
  });
});

describe('POST /settings', () => {
  it('saves what was changed, and records only that', async () => {
    const { owner, read, entries } = await open();
    const changed = { name: 'Tea & cake', locale: 'en', lifetime: '60', colour: '#0A5C36' };
    expect((await owner.post('/settings', changed)).to).toBe('/settings?done=saved');
    const wanted = { name: 'Tea & cake', locale: 'en', lifetime_ms: 3_600_000, colour: '#0a5c36' };
    expect(await read()).toMatchObject(wanted);
    await owner.post('/settings', { ...changed, name: 'Tea' });
    expect(await entries()).toMatchObject([
      {
        before: { name: 'Tea house', locale: 'hy', lifetime_ms: null, colour: null },
        after: wanted,
        actor: { type: 'user', name: owner.user._id },
      },
      { before: { name: 'Tea & cake' }, after: { name: 'Tea' } },
    ]);
  });

  it('stores and records nothing if nothing was changed', async () => {
    const { owner, read, entries } = await open();
    const before = await read();
    await owner.post('/settings', SETTINGS);
    expect(await read()).toEqual(before);
    expect(await entries()).toEqual([]);
  });

  it.each([
    ['name', ''],
    ['name', 'a'.repeat(101)],
    ['name', 'Tea \u202Eesuoh'],
    ['name', 'Tea\u0000house'],
    ['name', 'Pay to 4242 4242 4242 4242'],
    ['locale', 'fr'],
    ['lifetime', '4'],
    ['lifetime', '10081'],
    ['lifetime', '30.5'],
    ['lifetime', '1e3'],
    ['colour', 'red'],
    ['colour', '#ffe14d'],
    ['colour', '#1f4fd1"><script>'],
  ])('refuses the %s %j at its field, and keeps the other texts', async (field, value) => {
    const { owner, read } = await open();
    const before = await read();
    const form = { ...SETTINGS, name: 'Cake', [field]: value };
    const { status, html } = await owner.post('/settings', form);
    expect(status).toBe(422);
    expect(html).toContain(`href="#${field}"`);
    if (field !== 'name') expect(html).toContain('value="Cake"');
    expect(html).not.toContain('"><script>');
    expect(await read()).toEqual(before);
  });

  it('explains a colour that cannot be read, with the nearest shade that can', async () => {
    const { owner } = await open();
    const { html } = await owner.post('/settings', { ...SETTINGS, colour: '#ffe14d' });
    const [, shade = ''] = /nearest readable shade is (#[\da-f]{6})/.exec(html)!;
    expect((await owner.post('/settings', { ...SETTINGS, colour: shade })).status).toBe(303);
  });

  it.each(ROLES.filter((role) => !may(role, 'settings.write')))(
    'is refused to the %s',
    async (role) => {
      const { id, read } = await open();
      const before = await read();
      const browser = await ground.signIn(role, id);
      expect((await browser.post('/settings', { ...SETTINGS, name: 'X' })).status).toBe(403);
      expect(await read()).toEqual(before);
    },
  );

  it('lets two changes at once both happen, and records both', async () => {
    const { owner, read, entries } = await open();
    await Promise.all([
      owner.post('/settings', { ...SETTINGS, name: 'One' }),
      owner.post('/settings', { ...SETTINGS, name: 'Two' }),
    ]);
    const { name } = await read();
    const found = await entries();
    expect(found).toHaveLength(2);
    expect(found.map(({ after }) => after?.['name'])).toContain(name);
  });
});
