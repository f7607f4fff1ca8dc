// Stops what is left when the program that started it is gone, however that came about: the pipe
// to its standard input ends with that program, also after kill -9. Each line of the pipe is JSON:
//   { "watch": pid, "identity": text }   stop this process group at the end
//   { "forget": pid }                    it has ended
//   { "remove": folder }                 delete this folder when all have stopped
// Plain JavaScript, because it must be there before the first server is.
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

import { identityOf, signalGroup } from './identity.mjs';

/** Time between two looks whether the groups have ended. */
const POLL_MS = 50;

/** How long a group may take after SIGTERM before SIGKILL. */
const graceMs = Number(process.argv[2]);

/** @type {Map<number, string | undefined>} */
const watched = new Map();
/** @type {string[]} */
const removals = [];

// A Ctrl-C in the terminal is meant for the program, which stops its servers in order.
process.on('SIGINT', () => {});
process.on('SIGHUP', () => {});

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const order = JSON.parse(line);
  if (order.watch) watched.set(order.watch, order.identity);
  if (order.forget) watched.delete(order.forget);
  if (order.remove) removals.push(order.remove);
});
lines.on('close', () => void finish());

/** A number that now belongs to another process is left alone. */
function ours() {
  return [...watched].filter(([pid, identity]) => {
    const now = identityOf(pid);
    return (now === undefined || now === identity) && signalGroup(pid, 0);
  });
}

/** @param {'SIGTERM' | 'SIGKILL'} signal @param {number} limitMs */
async function end(signal, limitMs) {
  for (const [pid] of ours()) signalGroup(pid, signal);
  const until = Date.now() + limitMs;
  while (ours().length > 0 && Date.now() < until) await delay(POLL_MS);
}

async function finish() {
  await end('SIGTERM', graceMs);
  await end('SIGKILL', graceMs);
  for (const folder of removals) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.exit(0);
}
