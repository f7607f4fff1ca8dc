/** A network namespace with addresses of its own, where the machine lets us make one. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { PROJECT } from '../support/servers/programs.ts';

const run = promisify(execFile);
/** Everything in there happens on this machine, which may be busy; silent names take time. */
const LIMIT_MS = 150_000;

/** Of the web: elsewhere a machine's own public addresses, as all of them are in there, are none. */
export const PORT = 80;
/** Addresses that belong to somebody outside, and that nobody but us has in there. */
export const WALLED = {
  outside: ['93.184.215.14', '2606:4700:0:0:0:0:0:5'],
  inside: [
    '127.0.0.1',
    '127.0.0.2',
    '10.0.0.5',
    '169.254.169.254',
    'fd00:ec2:0:0:0:0:0:254',
    '::1',
  ],
};

/** What the hosts file says, which comes before any name server. */
const HOSTS = `127.0.0.1 localhost
127.0.0.1 hosts-loopback.example
::1 hosts-loopback6.example
10.0.0.5 hosts-private.example
93.184.215.14 hosts-mixed.example
169.254.169.254 hosts-mixed.example
93.184.215.14 hosts-public.example
93.184.215.14 hosts.internal
`;
/** As the worker is started. */
const LOOKUP_THREADS = '64';

export interface Walls {
  /** Runs a TypeScript file inside; answers what it printed. */
  run(file: string): Promise<string>;
  close(): Promise<void>;
}

/** Undefined where namespaces cannot be made: without root, iproute2 or Linux. */
export async function makeWalls(): Promise<Walls | undefined> {
  const name = `tollgate-${randomBytes(4).toString('hex')}`;
  const folder = `/etc/netns/${name}`;
  const close = async (): Promise<void> => {
    await run('ip', ['netns', 'del', name]).catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await run('ip', ['netns', 'add', name]);
    await mkdir(folder, { recursive: true });
    await writeFile(
      `${folder}/resolv.conf`,
      'nameserver 127.0.0.1\noptions timeout:4 attempts:1\n',
    );
    await writeFile(`${folder}/hosts`, HOSTS);
    await run('ip', ['-n', name, 'link', 'set', 'lo', 'up']);
    const local = new Set(['127.0.0.1', '127.0.0.2', '::1']);
    for (const address of [...WALLED.outside, ...WALLED.inside]) {
      if (!local.has(address)) await run('ip', ['-n', name, 'addr', 'add', address, 'dev', 'lo']);
    }
    // Whether the resolver's file is really another one in there, too.
    const { stdout } = await run('ip', ['netns', 'exec', name, 'cat', '/etc/resolv.conf']);
    if (!stdout.includes('attempts:1'))
      throw new Error('The namespace has no resolver of its own.');
  } catch {
    await close().catch(() => undefined);
    return undefined;
  }
  return {
    run: async (file) => {
      const node = [process.execPath, '--import', 'tsx', file];
      const env = { ...process.env, UV_THREADPOOL_SIZE: LOOKUP_THREADS };
      const options = { cwd: PROJECT, timeout: LIMIT_MS, env };
      const { stdout } = await run('ip', ['netns', 'exec', name, ...node], options);
      return stdout;
    },
    close,
  };
}
