import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';

import { StartError } from '../../embedded/errors.ts';
import { supervise } from '../../embedded/supervise.ts';
import { waitUntil } from '../../embedded/wait.ts';
import { allEnd, isAlive, LIMIT_MS, makeFolder } from './ground.ts';

/** A program that prints a line and sleeps. */
const SLEEPER = 'console.log("here", process.pid); setInterval(() => {}, 1000)';

/** A program that ignores SIGTERM, with a child process that ignores it too. */
const STUBBORN = `
  process.on('SIGTERM', () => {});
  const args = ['-e', "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"];
  const child = require('node:child_process').spawn(process.execPath, args);
  console.log(child.pid);
  setInterval(() => {}, 1000)`;

describe('supervise', () => {
  let folder: string;
  let remove: () => Promise<void>;
  let lines: string[];
  let pids: number[];

  beforeEach(async () => {
    ({ folder, remove } = await makeFolder());
    lines = [];
    pids = [];
  });
  afterEach(async () => {
    await remove();
  });

  function options(script: string): Parameters<typeof supervise>[0] {
    const logFile = path.join(folder, 'child.log');
    return {
      name: 'child',
      command: process.execPath,
      args: ['-e', script],
      env: {},
      logFile,
      ready: async () => (await stat(logFile)).size > 0,
      onPid: (pid) => void pids.push(pid),
      log: (line) => void lines.push(line),
    };
  }

  it('reports a command that does not exist, with the reason', async () => {
    const missing = { ...options(SLEEPER), command: path.join(folder, 'missing') };
    await expect(supervise(missing)).rejects.toThrow(/child ended \d times.*ENOENT/);
  });

  it('reports a command that ends again and again, and quotes its log', async () => {
    const failing = options('console.error("no such disk"); process.exit(7)');
    const error = await supervise({ ...failing, ready: async () => false }).catch(
      (e: unknown) => e,
    );
    expect(error).toBeInstanceOf(StartError);
    expect(String(error)).toMatch(
      /ended \d times, the last time with exit code 7.*\n[^]*no such disk/,
    );
  });

  it('reports a command that is not ready in time, and leaves no process', async () => {
    const silent = { ...options(SLEEPER), ready: async () => false, readyLimitMs: 300 };
    await expect(supervise(silent)).rejects.toThrow('did not respond within 0.3 s');
    expect(await allEnd(pids)).toBe(true);
  });

  it('restarts a crashed process, logs that, and appends to its log', async () => {
    const child = await supervise(options(SLEEPER));
    process.kill(child.pid()!, 'SIGKILL');
    expect(await waitUntil(() => pids.length === 2 && isAlive(pids[1]), LIMIT_MS)).toBe(true);
    expect(child.pid()).toBe(pids[1]);
    expect(await waitUntil(() => lines.length === 2, LIMIT_MS)).toBe(true);
    expect(lines[0]).toMatch(/^child ended \(SIGKILL\)\. It is restarted in 200 ms/);
    expect(lines[1]).toBe(`child is back (process ${pids[1]})`);
    await waitUntil(async () => (await log()).split('here').length === 3, LIMIT_MS);
    expect(await log()).toContain(`here ${pids[0]}`);
    await child.stop(1_000);
  });

  it('restarts nothing after a stop', async () => {
    const child = await supervise(options(SLEEPER));
    await child.stop(5_000);
    expect(isAlive(pids[0])).toBe(false);
    expect(child.pid()).toBeUndefined();
    expect(pids).toHaveLength(1);
    expect(lines).toEqual([]);
  });

  it('stops between a crash and the restart', async () => {
    const child = await supervise(options(SLEEPER));
    process.kill(child.pid()!, 'SIGKILL');
    await waitUntil(() => child.pid() === undefined, LIMIT_MS);
    await child.stop(5_000);
    expect(pids).toHaveLength(1);
  });

  it('kills a process that ignores SIGTERM, and its children, after the grace period', async () => {
    const child = await supervise(options(STUBBORN));
    const grandchild = Number(await log());
    expect(isAlive(grandchild)).toBe(true);
    const startedAt = performance.now();
    await child.stop(400);
    expect(performance.now() - startedAt).toBeGreaterThan(390);
    expect(await allEnd([...pids, grandchild])).toBe(true);
  });

  it('gives the process only the environment that was passed', async () => {
    const printing = options(
      'console.log(JSON.stringify(process.env)); setInterval(() => {}, 999)',
    );
    const child = await supervise({ ...printing, env: { ONLY: 'this' } });
    await child.stop(1_000);
    expect(JSON.parse(await log())).toEqual({ ONLY: 'this' });
  });

  function log(): Promise<string> {
    return readFile(path.join(folder, 'child.log'), 'utf8');
  }
});
