/** Disk and memory of this machine. */
import { statfs } from 'node:fs/promises';
import { ok, problem } from './check.ts';
import type { Check, Result } from './check.ts';
import type { ProblemCode } from './problems.ts';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

/** The memory that one more server or worker needs. */
const NEEDED_MEMORY = 256 * MIB;

/** The shares of a disk below which it is low, and as good as full. */
const LOW_SHARE = 0.15;
const FULL_SHARE = 0.03;

const gib = (bytes: number): string => (bytes / GIB).toFixed(1);

export interface Space {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** Creates the checks of the disk that holds `folder`, and of the memory. */
export function machineChecks(folder: string): Check[] {
  return [
    {
      check: 'machine.disk',
      name: 'Disk of this machine',
      run: async () => {
        const { bavail, blocks, bsize } = await statfs(folder);
        const space = { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
        return judgeSpace(space, { low: 'disk_low', full: 'disk_full' });
      },
    },
    {
      check: 'machine.memory',
      name: 'Memory of this machine',
      // Knows the limits of containers.
      run: () => judgeMemory(process.availableMemory()),
    },
  ];
}

/** Judges the free space of a disk, with the codes of a low one and a full one. */
export function judgeSpace(
  { freeBytes, totalBytes }: Space,
  codes: { readonly low: ProblemCode; readonly full: ProblemCode },
): Result {
  const share = totalBytes > 0 ? freeBytes / totalBytes : 1;
  const found = `${gib(freeBytes)} of ${gib(totalBytes)} GiB are free.`;
  if (share < FULL_SHARE) return problem(codes.full, found);
  return share < LOW_SHARE ? problem(codes.low, found) : ok(found);
}

export function judgeMemory(availableBytes: number): Result {
  const found = `${Math.round(availableBytes / MIB)} MiB are available.`;
  return availableBytes < NEEDED_MEMORY ? problem('memory_low', found) : ok(found);
}
