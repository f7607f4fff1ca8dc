/** A real browser: the Chromium that is installed on this machine. */
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

/** Programs to try. The first is Chromium without windows, which takes half the processor time. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

/** Turns off the sandbox, because tests may run as root, and every request to the vendor. */
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Starts Chromium from CHROMIUM_PATH, or else the first one on PATH. Throws if there is none.
 * `variables` are added to its environment.
 */
export async function openBrowser(variables: Record<string, string> = {}): Promise<Browser> {
  const env = { ...(process.env as Record<string, string>), ...variables };
  return chromium.launch({ executablePath: findChromium(), args: ARGS, env });
}

/** Returns the program that `openBrowser` starts. */
export function findChromium(): string {
  const { env } = process;
  const given = env['CHROMIUM_PATH'];
  if (given) return given;
  const folders = (env['PATH'] ?? '').split(path.delimiter);
  const files = NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  const found = files.find(isProgram);
  if (found) return found;
  throw new Error('Chromium was not found: install the package chromium, or set CHROMIUM_PATH.');
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
