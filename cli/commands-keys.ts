/** Commands about API keys and the audit. */
import type { Command } from 'commander';
import type { AuditOptions } from '../operations/audit.ts';
import { addAction, takes } from './action.ts';
import type { Shown } from '../operations/services.ts';
import type { OpenServices } from './services.ts';
import { parseSince, pointOf } from './since.ts';

const keys = async () => import('../operations/keys.ts');
const views = async () => import('./views.ts');

const MERCHANT_ID = "the merchant's id, mer_...";
const KEY_ID = "the key's id, key_...";

/** Adds `key` to the program. */
export function addKeys(key: Command): void {
  addAction(key.command('create'), async () => (await keys()).createKey)
    .description('create an API key, which is shown only once')
    .requiredOption('--merchant <id>', MERCHANT_ID)
    .option('--mode <mode>', 'test or live', 'test')
    .option('--name <name>', 'a note, such as the server that uses the key');
  const list = addAction(
    key.command('list'),
    async () => (await keys()).showKeys,
    async () => (await views()).viewKeys,
  )
    .description("show a merchant's active keys, and the latest inactive ones")
    .option('--mode <mode>', 'test or live; both by default');
  takes(list, { name: 'merchant', text: MERCHANT_ID });
  const roll = addAction(key.command('roll'), async () => ofItsMerchant((await keys()).rollKey))
    .description('replace a key with a new one, which is shown only once')
    .option('--overlap <time>', 'how long the old one still works: 0, 1h, 24h or 7d', '24h');
  const revoke = addAction(key.command('revoke'), async () =>
    ofItsMerchant((await keys()).revokeKey),
  ).description('revoke a key at once');
  for (const each of [roll, revoke]) {
    takes(each, { name: 'id', text: KEY_ID });
    each.option('--merchant <id>', "refuse a key that is not this merchant's, mer_...");
  }
}

type OfKey = { id: string; merchant: string };

/** Returns the action for an operator, who need not know the key's merchant. */
function ofItsMerchant<T extends OfKey>(
  action: (services: OpenServices, options: T) => Promise<Shown>,
) {
  return async (
    services: OpenServices,
    options: Omit<T, 'merchant'> & Partial<OfKey> & { id: string },
  ) => {
    const { merchantOfKey } = await import('../store/keys.ts');
    const merchant = options.merchant ?? (await merchantOfKey(services.mongo, options.id)) ?? '';
    return action(services, { ...options, merchant } as unknown as T);
  };
}

type ShownAudit = Omit<AuditOptions, 'since'> & { since?: string };

/** Adds the options and the action of `audit`. */
export function addAudit(audit: Command): void {
  addAction(
    audit,
    async () => {
      const { showAudit } = await import('../operations/audit.ts');
      return async (services: OpenServices, { since, ...options }: ShownAudit) => {
        const now = Date.now();
        const from = since === undefined ? {} : { since: pointOf(parseSince(since, now), now) };
        return showAudit(services, { ...options, ...from });
      };
    },
    async () => (await views()).viewAudit,
  )
    .description('show who did what, newest first')
    .option('--merchant <id>', 'only entries of this merchant, mer_...')
    .option('--object <id>', 'only entries about this endpoint, key, replay or other object')
    .option(
      '--since <point>',
      'start at a time, some time ago (10m, 2h, 1d), or an event (evt_...)',
    )
    .option('--limit <number>', '1 to 100', '20')
    .option('--starting-after <id>', 'the last entry of the previous page, aud_...');
}
