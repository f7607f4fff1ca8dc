/** The start and the end of every process. */
import closeWithGrace from 'close-with-grace';
import { GRACE_MS } from './config/grace.ts';

/** Signals within this time count as one. A Ctrl-C comes from the terminal and again from npm. */
const SAME_SIGNAL_MS = 1_000;

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

type Close = () => Promise<void>;

/**
 * Runs `body`, which may register steps for the end of the process. They run in reverse order when
 * `body` ends, and on SIGTERM, SIGINT or an uncaught error. A second signal exits at once. If
 * `body` throws, the error is printed and the process exits with 1.
 */
export async function runProcess(
  name: string,
  body: (onClose: (step: Close) => void) => Promise<unknown>,
): Promise<void> {
  const steps: Close[] = [];
  const closeAll = async (): Promise<void> => {
    for (const step of steps.toReversed()) {
      await step().catch((error: unknown) => printError(name, error));
    }
  };
  // The steps run once, even if the body ends because of them.
  let finished: Promise<void> | undefined;
  const finish = async (): Promise<void> => (finished ??= closeAll());
  const skip = [...SIGNALS];
  const grace = closeWithGrace({ delay: GRACE_MS, skip }, async ({ err }) => {
    if (err) printError(name, err);
    await finish();
  });
  let stoppedAt: number | undefined;
  const stop = (): void => {
    if (stoppedAt === undefined) {
      stoppedAt = Date.now();
      grace.close();
    } else if (Date.now() - stoppedAt > SAME_SIGNAL_MS) {
      process.exit(1);
    }
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  try {
    await body((step) => steps.push(step));
    grace.close();
  } catch (error) {
    printError(name, error);
    await finish();
    process.exit(1);
  }
}

/** A promise that never settles, for a body that serves until the process is stopped. */
export const untilStopped = new Promise<never>(() => undefined);

/** The names of errors that were not written for people. They are printed with their stack. */
const UNEXPECTED = new Set(['Error', 'TypeError', 'RangeError', 'ReferenceError', 'SyntaxError']);

function printError(name: string, thrown: unknown): void {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const text = UNEXPECTED.has(error.name) ? error.stack : error.message;
  process.stderr.write(`${name}: ${text ?? error.message}\n`);
}
