/**
 * Runs after the compiler, which leaves `.ts` in the imports of declarations. Users of the package
 * need `.js` there.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const dist = new URL('dist/', import.meta.url);
for (const name of readdirSync(dist, { recursive: true })) {
  if (!name.endsWith('.d.ts')) continue;
  const file = new URL(name.replaceAll('\\', '/'), dist);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replaceAll(/(\bfrom ')(\.[./\w]+)\.ts(?=';)/g, '$1$2.js'));
}
