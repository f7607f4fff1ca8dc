/** Commands about merchants and the users of the dashboard. */
import type { Command } from 'commander';
import { addAction, takes } from './action.ts';

const users = async () => import('./users.ts');
const changes = async () => import('../operations/change-merchant.ts');

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
  const list = addAction(
    user.command('list'),
    async () => (await users()).showUsers,
    async () => (await import('./views.ts')).viewUsers,
  ).description("show a merchant's users");
  takes(list, { name: 'merchant', text: MERCHANT_ID });
  const reset = addAction(user.command('reset'), async () => (await users()).resetUser)
    .description('print a link that lets a user set a new password; it works once, for 24 hours')
    .option('--second-step', 'turn the second step off, too');
  takes(reset, { name: 'email', text: "the user's e-mail address." });
}

function addMerchantUpdate(update: Command): void {
  takes(
    addAction(update, async () => (await changes()).updateMerchant),
    { name: 'merchant', text: MERCHANT_ID },
  )
    .description("change a merchant's settings; the others stay as they are")
    .option('--name <name>', "the merchant's name")
    .option('--locale <locale>', 'default checkout language: hy, en or ru')
    .option('--lifetime-minutes <number>', 'how long a payment lives by default, 5 to 10080')
    .option('--colour <colour>', 'the colour on the checkout, #rrggbb');
}
