import { describe, expect, it } from 'vitest';
import type { FromSchema } from 'json-schema-to-ts';
import type { currencyObject } from '../../api/objects/currency.ts';
import type { endpointObject } from '../../api/objects/endpoint.ts';
import type { paymentObject } from '../../api/objects/payment.ts';
import type { refundObject } from '../../api/objects/refund.ts';
import {
  publicCurrencies,
  publicEndpoint,
  publicPayment,
  publicRefund,
} from '../../domain/wire.ts';
import { CATALOGUE, Refusal } from '../../operations/refusal.ts';
import { renderError } from '../../api/errors.ts';
import { makeEndpoint } from '../support/rows/endpoint.ts';
import { makePayment } from '../support/rows/payment.ts';
import { DOCUMENT, faultsBy } from './contract.ts';

/** True if the two types are the same. The compiler checks it. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

const SAME: {
  payment: Same<ReturnType<typeof publicPayment>, FromSchema<typeof paymentObject>>;
  refund: Same<ReturnType<typeof publicRefund>, FromSchema<typeof refundObject>>;
  endpoint: Same<ReturnType<typeof publicEndpoint>, FromSchema<typeof endpointObject>>;
  currency: Same<ReturnType<typeof publicCurrencies>[number], FromSchema<typeof currencyObject>>;
} = { payment: true, refund: true, endpoint: true, currency: true };

const links = { checkoutUrl: 'https://pay.example' };

const now = new Date();
const refund = {
  _id: 'ref_01M7Z5HQQ2S5T1BV3JP91DVMSE',
  m: 'mer_1:test',
  livemode: false,
  payment_id: 'pay_01M7Z5HQQ2S5T1BV3JP91DVMSE',
  amount: 1,
  currency: 'AMD',
  status: 'failed',
  reason: 'other',
  description: null,
  failure_code: 'refund_declined',
  metadata: {},
  initiated_by: 'dashboard',
  due_at: now,
  created_at: now,
  updated_at: now,
  completed_at: null,
} as const;

const OBJECTS: readonly [string, object][] = [
  ['Payment', publicPayment(makePayment(), links)],
  ['Refund', publicRefund(refund)],
  ['WebhookEndpoint', publicEndpoint(makeEndpoint({ m: 'mer_1:test' }), now)],
  ...publicCurrencies().map((currency): [string, object] => ['Currency', currency]),
];

describe('the schemas of objects', () => {
  it('have the same types as the objects', () => {
    expect(Object.values(SAME).every(Boolean)).toBe(true);
  });

  it.each(OBJECTS)('%s accepts the object', (name, object) => {
    expect(faultsBy(`#/components/schemas/${name}`, object)).toBe('');
  });

  it.each(OBJECTS)('%s requires every property, and accepts no other', (name, object) => {
    const schema = DOCUMENT.components.schemas[name as 'Payment'];
    expect(Object.keys(schema.properties)).toEqual(Object.keys(object));
    expect([...schema.required]).toEqual(Object.keys(object));
    expect(schema.additionalProperties).toBe(false);
  });
});

describe('the schemas of errors', () => {
  it.each(Object.keys(CATALOGUE) as (keyof typeof CATALOGUE)[])('accept %s', (code) => {
    const at = { apiUrl: 'https://api.example', requestId: 'req_01M7Z5HQQ2S5T1BV3JP91DVMSE' };
    const [plain, problem] = [false, true].map(
      (isProblem) =>
        JSON.parse(renderError(new Refusal(code), { ...at, problem: isProblem }).text) as unknown,
    );
    expect(faultsBy('#/components/schemas/Error', plain)).toBe('');
    expect(faultsBy('#/components/schemas/Problem', problem)).toBe('');
  });
});
