import { describe, expect, it } from 'vitest';
import { openBench } from '../checkout/harness.ts';
import { closeAfterTests } from '../support/close.ts';
import { makePayment } from '../support/rows/payment.ts';
import { openTamper } from '../verify/tamper.ts';
import { startTollgate, tollgate } from './command.ts';

const bench = closeAfterTests(await openBench('verify_page'));
const tamper = closeAfterTests(await openTamper(bench.origin));
const payment = await bench.put(makePayment());
const page = `${tamper.origin}/c/${payment.checkout_token}`;

describe('tollgate verify-page', () => {
  it('exits with 0 if the page is the same', async () => {
    const { code, stdout, stderr } = await tollgate(['verify-page', page]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^Same: http:\/\/127\.0\.0\.1:\d+\/c\/\.\.\., Tollgate [\d.]+, \d+ known/,
    );
  });

  it('exits with 1 if it differs, and prints a line for each difference', async () => {
    tamper.state.change = (passing) => {
      passing.body = passing.body.replace('</head>', '<script>x()</script><base href="/"/></head>');
    };
    const { code, stdout } = await tollgate(['verify-page', page]);
    const json = await tollgate(['verify-page', page, '--json']);
    tamper.state.change = () => undefined;
    expect([code, json.code]).toEqual([1, 1]);
    expect(stdout.split('\n').slice(0, 2)).toEqual([
      'inline script: "x()" was added',
      'element: <base> was added',
    ]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      same: false,
      differences: [{ kind: 'inline script' }, { kind: 'element' }],
    });
    expect(stdout + json.stdout).not.toContain(payment.checkout_token);
  });

  it.each([
    ['an address that is none', ['nonsense']],
    ['an address of no page', ['https://pay.example/']],
    ['another protocol', ['ftp://pay.example/c/x']],
    ['no address and no key', []],
    ['a live key', ['--api-key', 'sk_live_x']],
    ['an unknown option', ['--what']],
    ['two addresses', [page, page]],
  ])('exits with 2 for %s', async (_, args) => {
    const { code, stderr } = await tollgate(['verify-page', ...args]);
    expect(code).toBe(2);
    expect(stderr).not.toBe('');
  });

  it('exits with 2 for an unknown option as a process too, without a stack', async () => {
    const { code, stderr } = await startTollgate(['verify-page', '--what']).ended;
    expect([code, stderr]).toEqual([
      2,
      "tollgate: unknown option '--what'. See `tollgate verify-page --help`.\n",
    ]);
  });

  it.each([
    ['without a server', 'http://127.0.0.1:1/c/x', /ECONNREFUSED/],
    ['without such a payment', `${tamper.origin}/c/nobody`, /responded with 404/],
  ])('exits with 3 %s', async (_, address, reason) => {
    const { code, stdout, stderr } = await tollgate(['verify-page', address]);
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(reason);
  });
});
