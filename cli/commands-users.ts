/** Commands about merchants and the users of the dashboard. */
import type { Command } from 'commander';
import { addAction } from './action.ts';

const users = async () => import('./users.ts');

const MERCHANT_ID = "the merchant's id, mer_...";

/** Adds `merchant` to the program. */
export function addMerchants(merchant: Command): void {
  addAction(
    merchant.command('create'),
    async () => (await import('../operations/merchant.ts')).createMerchant,
  )
    .description('create a merchant with a test key and a dashboard login')
    .requiredOption('--name <name>', "the merchant's name")
    .requiredOption('--email <email>', 'the e-mail address of its first user')
    .option('--locale <locale>', 'default checkout language: hy, en or ru', 'hy');
  addMerchantUpdate(merchant.command('update'));
  addAction(merchant.command('invite'), async () => (await users()).inviteMerchant)
    .description('print a link that lets its reader create a merchant; it works once, for 7 days')
    .option('--email <email>', 'only for this address; otherwise it replaces the earlier link');
}

/** Adds `user` to the program. */
export function addUsers(user: Command): void {
  addAction(user.command('list'), async () => (await users()).showUsers)
    .description("show a merchant's users")
    .requiredOption('--merchant <id>', MERCHANT_ID);
  addAction(user.command('reset'), async () => (await users()).resetUser)
    .description('print a link that lets a user set a new password; it works once, for 24 hours')
    .requiredOption('--email <email>', "the user's e-mail address")
    .option('--second-step', 'turn the second step off, too');
}

function addMerchantUpdate(update: Command): void {
  addAction(update, async () => (await import('../operations/change-merchant.ts')).updateMerchant)
    .description("change a merchant's settings; the others stay as they are")
    .requiredOption('--merchant <id>', "the merchant's id")
    .option('--name <name>', "the merchant's name")
    .option('--locale <locale>', 'default checkout language: hy, en or ru')
    .option('--lifetime-minutes <number>', 'how long a payment lives by default, 5 to 10080')
    .option('--colour <colour>', 'the colour on the checkout, #rrggbb');
}
