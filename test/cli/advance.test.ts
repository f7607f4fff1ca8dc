import { describe, expect, it } from 'vitest';
import { putPayment } from '../api/harness.ts';
import { tollgate } from './command.ts';
import { openDeveloper } from './merchant.ts';

const developer = await openDeveloper('cli-advance');

describe('tollgate advance', () => {
  it('advances the payment, and prints its state', async () => {
    const { _id } = await putPayment(developer);
    const outcome = await tollgate(['advance', _id, '--to', 'expiry'], developer.env());
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(outcome.stdout).toMatch(new RegExp(`^payment_id +${_id}$`, 'm'));
    expect(outcome.stdout).toMatch(/^status +expired$/m);
  });

  it('prints the refusal of the API', async () => {
    const { _id } = await putPayment(developer, { status: 'completed' });
    const args = ['advance', _id, '--to', 'bank_answer', '--json'];
    const { code, stdout, stderr } = await tollgate(args, developer.env());
    expect([code, stdout]).toEqual([2, '']);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'payment_state_invalid' } });
  });

  it('refuses another time with the possible ones', async () => {
    const args = ['advance', 'pay_1', '--to', 'tomorrow'];
    const { code, stderr } = await tollgate(args, developer.env());
    expect(code).toBe(2);
    expect(stderr).toMatch(/expiry, bank_answer, next_webhook_attempt/);
  });
});
