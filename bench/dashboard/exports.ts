/** Measures the memory of the server while exports are downloaded in several manners. */
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Place } from './seed.ts';

const MIB = 1024 * 1024;
const WATCH_MS = 50;
const SLOW_MS = 20_000;

interface Target {
  readonly url: string;
  readonly cookie: string;
  /** The server's process. */
  readonly pid: number;
  readonly place: Place;
}

/** Returns the memory of a process in MiB. */
export function rssOf(pid: number): number {
  const [, kib = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kib) / 1024);
}

async function open({ url, cookie }: Target, path: string): Promise<IncomingMessage> {
  const request = http.get(url + path, { headers: { cookie }, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  request.on('error', () => undefined);
  response.on('error', () => undefined);
  if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode}`);
  return response;
}

/** Reads a whole export. Returns its size in rows and bytes. */
async function read(target: Target, path: string) {
  const response = await open(target, path);
  let [rows, bytes] = [-1, 0];
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    for (const byte of chunk) if (byte === 10) rows += 1;
  }
  return { rows, bytes };
}

/** Takes 64 KiB a second, and leaves. Returns the bytes that it took. */
async function readSlowly(target: Target, path: string) {
  const response = await open(target, path);
  response.pause();
  let bytes = 0;
  for (let second = 0; second < SLOW_MS / 1_000; second += 1) {
    await sleep(1_000);
    const chunk = response.read(Math.min(64 * 1024, response.readableLength)) as Buffer | null;
    bytes += chunk?.length ?? 0;
  }
  response.destroy();
  return { rows: 0, bytes };
}

/** Leaves after the first MiB. The merchant's places must be free again at once. */
async function leave(target: Target, path: string) {
  const response = await open(target, path);
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MIB) break;
  }
  response.destroy();
  await sleep(500);
  return { rows: 0, bytes };
}

/** Runs each manner, and returns the server's memory before, at its peak and afterwards. */
export async function measureExports(target: Target): Promise<Record<string, unknown>[]> {
  const payments = '/exports/payments.csv';
  const deliveries = `/exports/deliveries.csv?endpoint=${target.place.endpoints[0]}`;
  const manners: Record<string, () => Promise<{ rows: number; bytes: number }>> = {
    payments: async () => read(target, payments),
    refunds: async () => read(target, '/exports/refunds.csv'),
    deliveries: async () => read(target, deliveries),
    'two at once': async () => {
      const [one, two] = await Promise.all([read(target, payments), read(target, deliveries)]);
      return { rows: one.rows + two.rows, bytes: one.bytes + two.bytes };
    },
    'a slow reader': async () => readSlowly(target, payments),
    'left after 1 MiB, four times': async () => {
      for (let time = 0; time < 3; time += 1) await leave(target, payments);
      return leave(target, payments);
    },
    'payments again': async () => read(target, payments),
  };
  const table: Record<string, unknown>[] = [];
  for (const [name, run] of Object.entries(manners)) {
    const before = rssOf(target.pid);
    const samples: number[] = [];
    const watch = setInterval(() => samples.push(rssOf(target.pid)), WATCH_MS);
    const startMs = performance.now();
    const { rows, bytes } = await run();
    const seconds = Number(((performance.now() - startMs) / 1_000).toFixed(1));
    clearInterval(watch);
    const quarter = Math.ceil(samples.length / 4);
    const [first, last] = [samples.slice(0, quarter), samples.slice(-quarter)];
    const row = {
      export: name,
      rows,
      MiB: Number((bytes / MIB).toFixed(1)),
      seconds,
      'RSS before': before,
      'peak of first quarter': Math.max(...first),
      peak: Math.max(...samples),
      'peak of last quarter': Math.max(...last),
    };
    table.push(row);
    console.log(JSON.stringify(row));
  }
  return table;
}
