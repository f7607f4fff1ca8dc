/** `tollgate listen` with a receiver of its own for each test. */
import { afterAll, afterEach, beforeEach } from 'vitest';
import { openReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';
import { startTollgate } from './command.ts';
import type { Running } from './command.ts';
import { useDeveloper } from './merchant.ts';
import type { Developer } from './merchant.ts';

export interface How {
  to?: string;
  args?: readonly string[];
  env?: Record<string, string>;
  /** What comes on its standard input. */
  input?: string;
}

export interface Listening extends Running {
  readonly secret: string;
}

export interface Ground {
  developer: Developer;
  /** Opened before each test and closed after it. */
  receiver: Receiver;
  /** Starts it with `--json`, and waits until it listens. */
  listen(how?: How): Promise<Listening>;
  /** Starts it as people do; ended with the file's tests. */
  start(args: readonly string[], env?: Record<string, string>, input?: string): Running;
  /** The events that the receiver got, in order. */
  ids(): string[];
  receive(count: number): Promise<void>;
}

/** What it told of each event. */
export const told = (listener: Running): Record<string, unknown>[] =>
  listener.told().filter((line) => 'delivery' in line);

/** The ground of a test file, complete when its tests begin. */
export function useGround(name: string): Ground {
  const running: Running[] = [];
  const ground = {
    start(args: readonly string[], more: Record<string, string> = {}, input = '') {
      const env = { ...ground.developer.env(), ...more };
      const started = startTollgate(['listen', ...args], env, input);
      running.push(started);
      return started;
    },
    async listen({ to = ground.receiver.url, args = [], env, input }: How = {}) {
      const started = ground.start(['--forward-to', to, '--json', ...args], env, input);
      await started.says(/"listening"/);
      return { ...started, secret: String(started.told()[0]?.['secret']) };
    },
    ids: () => ground.receiver.requests.map(({ headers }) => String(headers['webhook-id'])),
    async receive(count: number) {
      await until(
        () => ground.ids(),
        ({ length }) => length >= count,
      );
    },
  } as Ground;
  useDeveloper(name, (made) => (ground.developer = made));
  beforeEach(async () => {
    ground.receiver = await openReceiver();
  });
  afterEach(async () => ground.receiver.close());
  afterAll(async () => {
    for (const each of running) await each.interrupt();
  });
  return ground;
}
