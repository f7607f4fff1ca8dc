/** The version of this program, from package.json. */
import { readFileSync } from 'node:fs';

const text = readFileSync(new URL('package.json', import.meta.url), 'utf8');

export const VERSION = (JSON.parse(text) as { version: string }).version;
