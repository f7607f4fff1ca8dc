/** Messages to an operator when the database changes its primary during a command. */
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { useDatabase } from '../store/database.ts';
import { withDatabase } from '../support/servers/deployment.ts';
import { failing, failingLate, openWire } from '../support/servers/wire.ts';
import { tollgate } from './command.ts';
import { closeAfterTests } from '../support/close.ts';

const database = await useDatabase('cli-elections');
const wire = closeAfterTests(await openWire(withDatabase(database.uri, database.name)));

const create = async (email: string, ...more: string[]) =>
  tollgate(['merchant', 'create', '--name', 'Shop', '--email', email, ...more], {
    MONGODB_URI: wire.uri,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  });

describe('a command during an election', () => {
  it('asks the user to try again, in words and in JSON', async () => {
    wire.setRules({ commands: ['insert'], reply: failing(10_107, 'NotWritablePrimary') });
    const [text, json] = [await create('a@b.example'), await create('a@b.example', '--json')];
    expect([text.code, text.stdout, json.code, json.stdout]).toEqual([3, '', 3, '']);
    expect(text.stderr).toBe(
      'tollgate: The database is not available just now; run the command again. ' +
        '(NotWritablePrimary for the test)\n',
    );
    expect(JSON.parse(json.stderr)).toMatchObject({ error: { type: 'api', code: 'unavailable' } });
    wire.setRules();
    expect((await create('a@b.example')).code).toBe(0);
  });

  it('has one effect if its commit succeeds and the response is lost', async () => {
    const reply = failingLate(11_602, 'InterruptedDueToReplStateChange');
    wire.setRules({ commands: ['commitTransaction'], reply });
    expect((await create('c@d.example')).stderr).toContain('run the command again');
    wire.setRules();
    expect((await create('c@d.example')).stderr).toContain('has this e-mail address');
    expect(await database.mongo.users.countDocuments({ email: 'c@d.example' })).toBe(1);
  });
});
