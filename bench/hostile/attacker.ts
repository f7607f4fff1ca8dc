/** Runs one attack in a process of its own, so that it does not slow down the measurement. */
import { ATTACKS } from './attacks.ts';
import type { Run, Target } from './sockets.ts';

const [, , name = '', seconds = '', target = ''] = process.argv;
const attack = ATTACKS[name];
if (!attack) throw new Error(`There is no attack named ${name}.`);
const run: Run = { tally: {}, until: Date.now() + Number(seconds) * 1000 };
await attack(JSON.parse(target) as Target, run);
console.log(JSON.stringify(run.tally));
process.exit(0);
