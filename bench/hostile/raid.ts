/** Runs one attack in its own process, so that it takes no time from the measurement. */
import { ATTACKS } from './attacks.ts';
import type { Raid, Target } from './wire.ts';

const [, , name = '', seconds = '', target = ''] = process.argv;
const attack = ATTACKS[name];
if (!attack) throw new Error(`There is no attack named ${name}.`);
const raid: Raid = { tally: {}, until: Date.now() + Number(seconds) * 1000 };
await attack(JSON.parse(target) as Target, raid);
console.log(JSON.stringify(raid.tally));
process.exit(0);
