import { describe, expect, it } from 'vitest';
import { ROLES, may } from '../../../domain/user.ts';
import { makePng, pngChunk } from '../../support/pictures.ts';
import { openGround } from '../harness.ts';
import { everything, makeVisitor } from '../world.ts';
import type { Visitor } from '../world.ts';

const ground = await openGround('dashboard-logo');
const { mongo, url } = ground;

interface Upload {
  path?: string;
  file?: Buffer | undefined;
  csrf?: string;
  origin?: string;
  headers?: Record<string, string>;
}

/** Sends a form with a file, as a browser does. */
async function upload({ token, csrf }: Visitor, sent: Upload = {}) {
  const { path = '/settings/logo', file = makePng(), origin = url, headers = {} } = sent;
  const body = new FormData();
  body.set('csrf', sent.csrf ?? csrf);
  // Neither the name nor the type decides what the file is.
  body.set('logo', new Blob([new Uint8Array(file)], { type: 'text/html' }), '../logo.svg');
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { Cookie: `tollgate-session=${token}`, Origin: origin, ...headers },
    redirect: 'manual',
    body,
  });
  const { status } = response;
  return { status, to: response.headers.get('location'), html: await response.text() };
}

/** Signs somebody of a new merchant in. */
async function open(role: (typeof ROLES)[number] = 'owner') {
  const merchantId = await ground.addMerchant();
  const visitor = await makeVisitor(ground, { role, merchantId });
  const logo = async () => (await mongo.merchants.findOne({ _id: merchantId }))?.logo;
  const get = async (path: string) =>
    fetch(url + path, { headers: { Cookie: `tollgate-session=${visitor.token}` } });
  return { visitor, logo, get };
}

describe('POST /settings/logo', () => {
  it('shows the picture on the settings, and removes it again', async () => {
    const { visitor, logo, get } = await open();
    expect((await upload(visitor)).to).toBe('/settings?done=logo_saved');
    const address = `/settings/logo/${(await logo())!.id}`;
    expect(await (await get('/settings')).text()).toContain(
      `<img class="logo" src="${address}" alt="Tea house" width="96" height="32"/>`,
    );
    const response = await get(address);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await response.arrayBuffer())).toEqual(makePng());
    const removed = await upload(visitor, { path: '/settings/logo/remove' });
    expect(removed.status).toBe(415);
    const headers = { Cookie: `tollgate-session=${visitor.token}`, Origin: url };
    const form = { method: 'POST', headers, body: new URLSearchParams({ csrf: visitor.csrf }) };
    await fetch(`${url}/settings/logo/remove`, form);
    expect(await logo()).toBeUndefined();
    expect((await get(address)).status).toBe(404);
  });

  it('refuses a file that is no picture at its field, and keeps the other settings', async () => {
    const { visitor, logo } = await open();
    const { status, html } = await upload(visitor, { file: Buffer.from('<svg/>') });
    expect(status).toBe(422);
    expect(html).toContain('href="#logo"');
    expect(html).toContain('value="Tea house"');
    expect(await logo()).toBeUndefined();
  });

  it('gives the reason for a file that is too large, up to the limit of the form', async () => {
    const { visitor } = await open();
    const large = async (bytes: number) => {
      const filler = pngChunk('tEXt', Buffer.alloc(bytes));
      return upload(visitor, { file: makePng({ chunks: [filler] }) });
    };
    expect((await large(65 * 1_024)).html).toContain('at most 64 KiB');
    expect((await large(256 * 1_024)).status).toBe(413);
  });

  it.each([
    ['without the token of the session', { csrf: '' }],
    ['from another site', { origin: 'https://evil.example' }],
  ])('is refused %s', async (_, sent) => {
    const { visitor } = await open();
    const before = await everything(mongo);
    expect((await upload(visitor, sent)).status).toBe(403);
    expect(await everything(mongo)).toBe(before);
  });

  it.each(ROLES.filter((role) => !may(role, 'settings.write')))(
    'is refused to the %s',
    async (role) => {
      const { visitor, logo } = await open(role);
      expect((await upload(visitor)).status).toBe(403);
      expect(await logo()).toBeUndefined();
    },
  );

  it.each([
    ['a boundary that is not in the body', 'multipart/form-data; boundary=other', 400],
    ['no boundary', 'multipart/form-data', 400],
    ['another type', 'application/json', 415],
  ])('refuses %s', async (_, type, status) => {
    const { visitor } = await open();
    expect((await upload(visitor, { headers: { 'Content-Type': type } })).status).toBe(status);
  });

  it('is the only form that takes files', async () => {
    const { visitor } = await open();
    expect((await upload(visitor, { path: '/settings' })).status).toBe(415);
  });
});

describe('GET /settings/logo/:id', () => {
  it('knows only the logo of the own merchant', async () => {
    const [one, other] = [await open(), await open('read_only')];
    await upload(one.visitor);
    const address = `/settings/logo/${(await one.logo())!.id}`;
    expect((await one.get(address)).status).toBe(200);
    expect((await other.get(address)).status).toBe(404);
  });
});
