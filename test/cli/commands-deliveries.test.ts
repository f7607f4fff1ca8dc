import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addDeliveries } from '../../cli/commands-deliveries.ts';

/** Returns the usage error of a command line. No command is run. */
async function usageErrorOf(line: string): Promise<string> {
  let text = '';
  const program = new Command()
    .exitOverride()
    .configureOutput({ writeErr: (part) => (text += part) });
  addDeliveries(program);
  await expect(program.parseAsync(line.split(' '), { from: 'user' })).rejects.toThrow();
  return text;
}

describe('deliveries, resend and replay start', () => {
  it.each([
    ['resend --id dlv_1', '--count'],
    ['resend --id dlv_1', '--endpoint we_1'],
    ['resend --id dlv_1', '--state failed'],
    ['resend --id dlv_1', '--since 1h'],
    ['resend --id dlv_1', '--until 1h'],
    ['resend --id dlv_1', '--per-second 10'],
    ['deliveries --id dlv_1', '--endpoint we_1'],
    ['deliveries --id dlv_1', '--state failed'],
    ['deliveries --id dlv_1', '--limit 20'],
    ['deliveries --id dlv_1', '--starting-after dlv_2'],
    ['replay start --endpoint we_1 --ids evt_1', '--events *'],
    ['replay start --endpoint we_1 --ids evt_1', '--payment pay_1'],
    ['replay start --endpoint we_1 --ids evt_1', '--since 1h'],
    ['replay start --endpoint we_1 --ids evt_1', '--until 1h'],
  ])('%s refuses %s, which would have no effect', async (command, option) => {
    const [name = ''] = option.split(' ');
    const error = await usageErrorOf(`${command} ${option}`);
    expect(error).toMatch(new RegExp(`^error: .* cannot be used with option '${name} ?`));
  });
});
