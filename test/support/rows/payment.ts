/** Builders of payments and attempts. */
import { tenantOf } from '../../../domain/merchant.ts';
import { isFinal } from '../../../domain/payment.ts';
import type { Attempt, Card, Payment } from '../../../domain/payment.ts';
import { mintId, mintToken } from '../../../store/mint.ts';

/** The default lifetime of a payment. */
const LIFETIME_MS = 30 * 60 * 1000;

/**
 * Creates a payment of 12,500 AMD. Fields that depend on an override (tenant, lifetime, `open`, the
 * time of the final status) are set to match it.
 */
export function makePayment(overrides: Partial<Payment> = {}): Payment {
  const createdAt = overrides.created_at ?? new Date();
  const merchantId = overrides.merchant_id ?? mintId('merchant');
  const livemode = overrides.livemode ?? false;
  const expiresAt = overrides.expires_at ?? new Date(createdAt.getTime() + LIFETIME_MS);
  const status = overrides.status ?? 'created';
  const updatedAt = overrides.updated_at ?? createdAt;
  const endIf = (end: Payment['status']): Date | null => (status === end ? updatedAt : null);
  return {
    _id: mintId('payment'),
    m: tenantOf(merchantId, livemode ? 'live' : 'test'),
    merchant_id: merchantId,
    livemode,
    status,
    ...(isFinal(status) ? {} : { open: true as const }),
    due_at: expiresAt,
    amount: 12_500,
    currency: 'AMD',
    amount_refunded: 0,
    order_id: 'order-1',
    description: 'Two tickets',
    return_url: 'https://shop.example/thanks?payment={PAYMENT_ID}',
    cancel_url: null,
    locale: 'en',
    metadata: {},
    checkout_token: mintToken(),
    attempts: [],
    failure_code: null,
    cancellation: status === 'canceled' ? { by: 'customer', reason: null } : null,
    created_at: createdAt,
    updated_at: updatedAt,
    expires_at: expiresAt,
    completed_at: endIf('completed'),
    failed_at: endIf('failed'),
    canceled_at: endIf('canceled'),
    expired_at: endIf('expired'),
    ...overrides,
  };
}

/** Creates a first attempt with the card 4242, just opened at the bank. */
export function makeAttempt(overrides: Partial<Attempt> = {}): Attempt {
  const createdAt = overrides.created_at ?? new Date();
  return {
    id: mintId('attempt'),
    number: 1,
    status: 'pending',
    card: { brand: 'visa', last4: '4242' },
    failure_code: null,
    created_at: createdAt,
    opened_at: createdAt,
    bank: null,
    gave_up_at: null,
    ...overrides,
  } as Attempt;
}

/** Creates a first attempt by bank transfer, whose money has not arrived. */
export function makeTransfer(overrides: Partial<Attempt> = {}): Attempt {
  const { card: _, ...attempt } = makeAttempt(overrides) as Attempt & { card: Card };
  return { ...attempt, method: 'bank_transfer', transfer: { reference: 'TG-7K3M-9P2A' } };
}
