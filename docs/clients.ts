/** The clients of one file each, which integrators copy into their projects. */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

const FOLDER = path.join(import.meta.dirname, 'clients');

/** Returns the text of each file, by the path at which the API serves it. */
export function readClients(): Readonly<Record<string, string>> {
  const files = readdirSync(FOLDER).filter((name) => /\.(?:py|php)$/.test(name));
  return Object.fromEntries(
    files.map((name) => [`/docs/clients/${name}`, readFileSync(path.join(FOLDER, name), 'utf8')]),
  );
}
