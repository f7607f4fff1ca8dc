// Stops the remaining processes when the program that started it is gone. The pipe to its standard
// input ends with that program, even after kill -9. Each line of the pipe is JSON:
//   { "watch": pid, "identity": text }   stop this process group at the end
//   { "forget": pid }                    it has ended
//   { "remove": folder }                 delete this folder when all groups have stopped
// It is plain JavaScript, because it must run before the first server does.
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { identityOf, signalGroup } from './identity.mjs';

/** The time between two checks of whether the groups have ended. */
const POLL_MS = 50;

/** The time that a group has after SIGTERM, before SIGKILL. */
const graceMs = Number(process.argv[2]);

/** @type {Map<number, string | undefined>} */
const watched = new Map();
/** @type {string[]} */
const removals = [];

// A Ctrl-C in the terminal is for the program, which stops its servers in order.
process.on('SIGINT', () => {});
process.on('SIGHUP', () => {});

for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line);
  if (order.watch) watched.set(order.watch, order.identity);
  if (order.forget) watched.delete(order.forget);
  if (order.remove) removals.push(order.remove);
}
await end('SIGTERM');
await end('SIGKILL');
for (const folder of removals) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
process.exit(0);

/** @param {'SIGTERM' | 'SIGKILL'} signal */
async function end(signal) {
  for (const pid of running()) signalGroup(pid, signal);
  const until = Date.now() + graceMs;
  while (running().length > 0 && Date.now() < until) await delay(POLL_MS);
}

/** Returns the watched groups that still run. Skips an id that now belongs to another process. */
function running() {
  return [...watched.keys()].filter((pid) => {
    const now = identityOf(pid);
    return (now === undefined || now === watched.get(pid)) && signalGroup(pid, 0);
  });
}
