/** The browser tests of the documentation, run as an integrator runs them. */
import { execFile, spawnSync } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { findChromium } from '../support/browser.ts';
import type { Deployment } from '../support/servers/deployment.ts';
import { PROJECT } from '../support/servers/programs.ts';
import type { Shop } from './shop.ts';

/** Runs a program on a file of docs/browsers. Returns its output, and throws if it fails. */
export async function runExample(
  { apiUrl, env }: Deployment,
  { url, merchant }: Shop,
  [program, file]: readonly [string, string],
): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(program, [file], {
    cwd: path.join(PROJECT, 'docs', 'browsers'),
    env: {
      PATH: env['PATH'],
      HOME: env['HOME'],
      TOLLGATE_API_URL: apiUrl,
      TOLLGATE_API_KEY: merchant.apiKey,
      SHOP_URL: `${url}/`,
      CHROMIUM_PATH: findChromium(),
      CHROME_ARGUMENTS: '--headless=new --no-sandbox --disable-gpu',
    },
  });
  return stdout + stderr;
}

/**
 * Returns a Python that has Selenium. Debian installs Selenium for its own Python, which need not
 * be the first one on PATH.
 */
export function findPython(): string | undefined {
  return ['python3', '/usr/bin/python3'].find(
    (program) => spawnSync(program, ['-c', 'import selenium']).status === 0,
  );
}
