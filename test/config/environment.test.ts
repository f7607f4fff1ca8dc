/** The environment that config.ts passes on to the programs of `npm start`. */
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { inConfig } from './inconfig.ts';
import type { Variables } from './inconfig.ts';

const evaluate = async (expression: string, env: Variables) => inConfig(expression, env, tmpdir());

/** Variables that a developer may have and Tollgate does not read. */
const STRANGERS = {
  AWS_SECRET_ACCESS_KEY: 'stranger',
  TOLLGATE_API_KEY: 'stranger',
  NODE_AUTH_TOKEN: 'stranger',
};
const SYSTEM = { HOME: 'home', NODE_EXTRA_CA_CERTS: 'ca.pem' };
const SECRETS = { ENCRYPTION_KEY: 'e', MONGODB_URI: 'm', TEMPORAL_API_KEY: 't' };

describe('childEnvironment', () => {
  it('has only what our programs read, overridden by what is set', async () => {
    const env = { ...STRANGERS, ...SYSTEM, ...SECRETS, API_PORT: '1', TEMPORAL_NAMESPACE: 'shop' };
    const child = await evaluate('c.childEnvironment({ API_PORT: "2", SET: "yes" })', env);
    expect(child).toEqual({
      PATH: expect.any(String),
      ...SYSTEM,
      ...SECRETS,
      API_PORT: '2',
      TEMPORAL_NAMESPACE: 'shop',
      SET: 'yes',
    });
  });
});

describe('bareEnvironment', () => {
  it('has no secret and no configuration', async () => {
    const env = { ...STRANGERS, ...SYSTEM, ...SECRETS, API_PORT: '1' };
    const child = await evaluate('c.bareEnvironment()', env);
    expect(child).toEqual({ PATH: expect.any(String), ...SYSTEM });
  });
});
