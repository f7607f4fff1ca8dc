/** A network namespace with its own addresses, if the machine allows one. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { PROJECT } from '../support/servers/programs.ts';

const run = promisify(execFile);
/** Generous, because the machine may be busy and silent names take time. */
const LIMIT_MS = 150_000;

/** The web's port. At other ports a machine's own public addresses are blocked. */
export const PORT = 80;
/** Public addresses, and internal ones. Inside the namespace all of them are ours. */
export const ADDRESSES = {
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

/** The hosts file, which has precedence over name servers. */
const HOSTS = `127.0.0.1 localhost
127.0.0.1 hosts-loopback.example
::1 hosts-loopback6.example
10.0.0.5 hosts-private.example
93.184.215.14 hosts-mixed.example
169.254.169.254 hosts-mixed.example
93.184.215.14 hosts-public.example
93.184.215.14 hosts.internal
`;
/** The same number as in the worker. */
const LOOKUP_THREADS = '64';

export interface Namespace {
  /** Runs a TypeScript file inside. Returns its output. */
  run(file: string): Promise<string>;
  close(): Promise<void>;
}

/** Creates a namespace. Returns undefined without root, iproute2 or Linux. */
export async function openNamespace(): Promise<Namespace | undefined> {
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
    for (const address of [...ADDRESSES.outside, ...ADDRESSES.inside]) {
      if (!local.has(address)) await run('ip', ['-n', name, 'addr', 'add', address, 'dev', 'lo']);
    }
    // Checks that the namespace has its own resolver file.
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
