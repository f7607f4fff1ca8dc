import { verifyRegistrationResponse } from '@simplewebauthn/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { mintId } from '../../store/mint.ts';
import type { User } from '../../domain/user.ts';
import { addPasskey } from '../../operations/passkeys.ts';
import { closeAfterTests } from '../support/close.ts';
import { openDatabase } from '../support/mongo.ts';
import { ATTESTED, CEREMONY, LIST } from './attestation.ts';

const mongo = closeAfterTests(await openDatabase('operations-passkeys'));
const user: User = {
  _id: mintId('user'),
  merchant_id: mintId('merchant'),
  email: 'a@shop.example',
  password_hash: '',
  created_at: new Date(),
};

const noNetwork = () =>
  vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('There is no network.'));
let fetched: ReturnType<typeof noNetwork>;
beforeEach(() => {
  fetched = noNetwork();
});
afterEach(() => fetched.mockRestore());

describe('addPasskey', () => {
  it('does not fetch what the certificate of a device names', async () => {
    const services = { mongo, actor: { type: 'user', name: user._id } } as const;
    const ceremony = { ...CEREMONY, expiresAt: new Date(Date.now() + 60_000) };
    const made = { user, name: '', response: JSON.stringify(ATTESTED) };
    await expect(addPasskey(services, made, ceremony)).rejects.toThrow('does not fit');
    expect(fetched).not.toHaveBeenCalled();
  });

  it('would fetch it, if it had the response verified', async () => {
    const verified = verifyRegistrationResponse({
      response: { ...ATTESTED },
      expectedChallenge: CEREMONY.challenge,
      expectedOrigin: CEREMONY.origin,
      expectedRPID: 'localhost',
    });
    await expect(verified).rejects.toThrow('not a known root certificate');
    expect(fetched.mock.calls).toEqual([[LIST]]);
  });
});
