/** The files of pages while two versions of Tollgate run side by side. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { filesOf, loadAssets } from '../../checkout/assets.ts';
import { hashOf } from '../../http/assets.ts';
import { findFiles, keepFiles } from '../../store/files.ts';
import { closeAfterTests } from '../support/close.ts';
import { makePayment } from '../support/rows/payment.ts';
import { openBench } from './harness.ts';

const bench = closeAfterTests(await openBench('assets'));
const bytes = Buffer.from('body { color: teal }\n');
const hash = hashOf(bytes);
const newer = { hash, type: 'text/css', bytes };

describe('GET /assets/:file', () => {
  it('sends our file for a hash that no version has, which browsers do not keep', async () => {
    const { status, headers, text } = await bench.call(`/assets/checkout.css?v=${hash}`);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-cache']);
    expect(text).toBe((await bench.call('/assets/checkout.css')).text);
    expect((await bench.call(`/assets/unknown.css?v=${hash}`)).status).toBe(404);
  });

  it('sends the file of another version, once a server of it has started', async () => {
    await keepFiles(bench.mongo, [newer]);
    const { status, headers, text } = await bench.call(`/assets/checkout.css?v=${hash}`);
    expect([status, text]).toEqual([200, bytes.toString()]);
    expect(headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(headers.get('cache-control')).toContain('immutable');
  });

  it('has an integrity on each page that its bytes match', async () => {
    const payment = await bench.put(makePayment());
    const { text } = await bench.call(`/c/${payment.checkout_token}`);
    const pattern = /href="(\/assets\/[^"]+\.css[^"]+)" integrity="sha384-([^"]+)"/g;
    const sheets = [...text.matchAll(pattern)];
    expect(sheets).toHaveLength(text.match(/rel="stylesheet"/g)!.length);
    for (const [, address = '', integrity] of sheets) {
      const sent = await bench.call(address);
      expect(createHash('sha384').update(sent.text).digest('base64')).toBe(integrity);
    }
  });
});

describe('keepFiles', () => {
  it('stores each file once, however many servers start at once', async () => {
    const all = filesOf(loadAssets(''));
    await Promise.all(Array.from({ length: 5 }, async () => keepFiles(bench.mongo, all)));
    const found = await findFiles(bench.mongo, [...all.map((file) => file.hash), 'unknown']);
    expect([...found.values()].toSorted((a, b) => (a.hash < b.hash ? -1 : 1))).toEqual(
      all.toSorted((a, b) => (a.hash < b.hash ? -1 : 1)),
    );
    for (const file of found.values()) expect(hashOf(file.bytes)).toBe(file.hash);
    const ids = { _id: { $in: all.map((file) => file.hash) } };
    expect(await bench.mongo.files.countDocuments(ids)).toBe(all.length);
  });
});
