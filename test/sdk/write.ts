/** Writes the files of sdk/objects/. Run it after a schema of the API has changed. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { generateObjects } from './generate.ts';

const folder = path.resolve(import.meta.dirname, '../../sdk/objects');
mkdirSync(folder, { recursive: true });
for (const [name, text] of await generateObjects()) writeFileSync(path.join(folder, name), text);
