/** Runs `tollgate listen` with a new receiver for each test. */
import { afterAll, afterEach } from 'vitest';
import { openReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';
import { startTollgate } from './command.ts';
import type { Running } from './command.ts';
import { openDeveloper } from './merchant.ts';
import type { Developer } from './merchant.ts';

export interface How {
  to?: string;
  args?: readonly string[];
  env?: Record<string, string>;
  /** The standard input of the command. */
  input?: string;
}

export interface Listening extends Running {
  readonly secret: string;
}

export interface Ground {
  readonly developer: Developer;
  /** The receiver, a new one for each test. */
  receiver: Receiver;
  /** Starts the command with `--json`, and waits until it listens. */
  listen(how?: How): Promise<Listening>;
  /** Starts the command without `--json`. It ends with the file's tests. */
  start(args: readonly string[], env?: Record<string, string>, input?: string): Running;
  /** Returns the events that the receiver got, in order. */
  ids(): string[];
  receive(count: number): Promise<void>;
}

/** Returns the last line that it printed about each event. */
export const told = (listener: Running): Record<string, unknown>[] =>
  listener.lines().filter(({ retrying }) => retrying === false);

/** Opens an API for the calling file. Each test has a receiver of its own. */
export async function useGround(file: string): Promise<Ground> {
  const developer = await openDeveloper(file);
  const running: Running[] = [];
  const ground: Ground = {
    developer,
    receiver: await openReceiver(),
    start(args, more = {}, input = '') {
      const started = startTollgate(['listen', ...args], { ...developer.env(), ...more }, input);
      running.push(started);
      return started;
    },
    async listen({ to = ground.receiver.url, args = [], env, input } = {}) {
      const started = ground.start(['--forward-to', to, '--json', ...args], env, input);
      await started.prints(/"listening"/);
      return { ...started, secret: String(started.lines()[0]?.['secret']) };
    },
    ids: () => ground.receiver.requests.map(({ headers }) => String(headers['webhook-id'])),
    async receive(count) {
      await until(
        () => ground.ids(),
        ({ length }) => length >= count,
      );
    },
  };
  afterEach(async () => {
    await ground.receiver.close();
    ground.receiver = await openReceiver();
  });
  afterAll(async () => {
    for (const each of running) await each.interrupt();
    await ground.receiver.close();
  });
  return ground;
}
