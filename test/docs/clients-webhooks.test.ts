import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { webhooks } from '../../sdk/index.ts';
import { BODY, ID, OTHER, SECRET, unixNow } from '../sdk/signed.ts';
import { LANGUAGES, hasRuntime, openDriver, titleOf } from './driver.ts';
import type { Driver, Outcome } from './driver.ts';

/** Verifying sends no request. */
const settings = { apiKey: '', baseUrl: '', timeoutMs: 0, maxRetries: 0 };

const signed = (more: object = {}) => webhooks.signTest({ body: BODY, secret: SECRET, ...more });
const ahead = (seconds: number) => signed({ timestamp: unixNow() + seconds });

const write = (name: string): string => name.replaceAll(/\b[a-z]/g, (c) => c.toUpperCase());

/** Returns the headers with names as most frameworks write them. */
function capitals(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [write(name), value]));
}

for (const language of LANGUAGES)
  describe.skipIf(!hasRuntime(language))(titleOf(language), () => {
    let driver: Driver;
    beforeAll(() => {
      driver = openDriver(language);
    });
    afterAll(async () => driver?.close());

    const verify = async (...args: readonly unknown[]): Promise<Outcome> =>
      driver.make({ name: 'verify', args, settings });

    it('accepts a genuine webhook, also with the previous secret', async () => {
      const cases = [
        [BODY, signed(), SECRET],
        [BODY, signed(), `${OTHER}, ${SECRET}`],
        [BODY, signed({ secret: [OTHER, SECRET] }), SECRET],
        [BODY, ahead(-240), SECRET],
        [BODY, { 'Service-Signature': '', ...capitals(signed()) }, SECRET],
      ];
      for (const each of cases) expect(await verify(...each)).toEqual({ value: ID });
    });

    it('refuses a webhook that is not genuine', async () => {
      const text = '{"type":"payment.completed"}';
      const cases = [
        [BODY, signed(), OTHER],
        [`${BODY} `, signed(), SECRET],
        [BODY, {}, SECRET],
        [BODY, { ...signed(), 'service-timestamp': 'now', 'webhook-timestamp': 'now' }, SECRET],
        [BODY, ahead(-330), SECRET],
        [BODY, ahead(330), SECRET],
        [text, signed({ body: text }), SECRET],
      ];
      for (const each of cases) {
        const { error } = await verify(...each);
        expect(error).toMatchObject({ name: 'WebhookVerificationError', status: 400 });
      }
      const { error } = await verify(BODY, signed(), `${SECRET},whsec_two words`);
      expect(error?.['name']).toBe('TollgateUsageError');
      expect(JSON.stringify(error)).not.toContain('two words');
    });
  });
