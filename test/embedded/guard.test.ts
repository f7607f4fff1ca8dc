import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

import { startGuardian } from '../../embedded/guard.ts';
import { waitUntil } from '../../embedded/wait.ts';
import { allEnd, isAlive, LIMIT_MS, makeFolder, runProgram, endPrograms } from './ground.ts';

const GUARDIAN = new URL('../../embedded/guardian.mjs', import.meta.url).pathname;

function makeSleeper(): ChildProcess {
  const args = ['-e', 'setInterval(() => {}, 1000)'];
  return spawn(process.execPath, args, { detached: true, stdio: 'ignore' });
}

describe('the guardian', () => {
  let folder: string;
  let remove: () => Promise<void>;
  beforeEach(async () => {
    ({ folder, remove } = await makeFolder());
  });
  afterEach(async () => {
    endPrograms();
    await remove();
  });

  it('stops the processes of a killed program, even restarted ones', async () => {
    const { child, next } = runProgram(`
      import { startGuardian } from './embedded/guard.ts';
      import { supervise } from './embedded/supervise.ts';
      const guardian = startGuardian();
      const child = await supervise({
        name: 'sleeper', command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'],
        env: {}, logFile: ${JSON.stringify(path.join(folder, 'log'))}, guardian,
        ready: async () => true, log: () => {},
        onPid: (pid) => console.log(JSON.stringify({ pid, guardian: guardian.pid() })),
      });`);
    const first = (await next()) as { pid: number; guardian: number };
    process.kill(first.pid, 'SIGKILL');
    const second = (await next()) as { pid: number };
    expect(second.pid).not.toBe(first.pid);
    expect(isAlive(second.pid)).toBe(true);
    child.kill('SIGKILL');
    expect(await allEnd([second.pid, first.guardian])).toBe(true);
  });

  it('does not stop a later process with the same id', async () => {
    const stranger = makeSleeper();
    const guardian = spawn(process.execPath, [GUARDIAN, '200'], { stdio: ['pipe', 'ignore', 2] });
    const ended = new Promise((resolve) => guardian.once('exit', resolve));
    guardian.stdin?.end(`${JSON.stringify({ watch: stranger.pid, identity: 'of old' })}\n`);
    await ended;
    expect(isAlive(stranger.pid)).toBe(true);
    stranger.kill();
  });

  it('does not stop a forgotten process, and removes its folder', async () => {
    const [kept, stopped] = [makeSleeper(), makeSleeper()];
    const doomed = path.join(folder, 'doomed');
    await mkdir(doomed);
    const guardian = startGuardian({ remove: doomed });
    guardian.watch(kept.pid!);
    guardian.watch(stopped.pid!);
    guardian.forget(kept.pid!);
    await guardian.close();
    expect([isAlive(kept.pid), isAlive(stopped.pid)]).toEqual([true, false]);
    await expect(stat(doomed)).rejects.toThrow('ENOENT');
    kept.kill();
  });

  it('is replaced if it is killed, and the new one knows what to stop', async () => {
    const sleeper = makeSleeper();
    const guardian = startGuardian();
    guardian.watch(sleeper.pid!);
    const first = guardian.pid();
    process.kill(first!, 'SIGKILL');
    expect(await waitUntil(() => guardian.pid() !== first, LIMIT_MS)).toBe(true);
    await guardian.close();
    expect(await allEnd([first, guardian.pid(), sleeper.pid])).toBe(true);
  });
});
