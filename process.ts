/** How every process of ours begins and ends. */
import closeWithGrace from 'close-with-grace';
import { GRACE_MS } from './config/grace.ts';

/** A Ctrl-C comes from the terminal and again from npm or tsx: within this time it is one. */
const SAME_SIGNAL_MS = 1_000;

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

type Close = () => Promise<void>;

/**
 * Runs `body`, which may hand over steps for the end; they are taken in reverse order on SIGTERM,
 * SIGINT (at once on a second one) and an uncaught error, and when `body` ends. When it throws,
 * the fault is told (without a stack, if it is one that we named) and the process exits with 1.
 */
export async function runProcess(
  name: string,
  body: (onClose: (step: Close) => void) => Promise<unknown>,
): Promise<void> {
  const steps: Close[] = [];
  const closeAll = async (): Promise<void> => {
    for (const step of steps.toReversed()) {
      await step().catch((error: unknown) => tell(name, error));
    }
  };
  // A body that ends because it is being stopped must not cut the stopping short.
  let finished: Promise<void> | undefined;
  const finish = async (): Promise<void> => (finished ??= closeAll());
  const skip = [...SIGNALS];
  const grace = closeWithGrace({ delay: GRACE_MS, skip }, async ({ err }) => {
    if (err) tell(name, err);
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
    tell(name, error);
    await finish();
    process.exit(1);
  }
}

/** Never settles: for a body that serves until the process is told to stop. */
export const untilStopped = new Promise<never>(() => undefined);

/** Errors of these names are nobody's message to a person: where they come from is what matters. */
const UNEXPECTED = new Set(['Error', 'TypeError', 'RangeError', 'ReferenceError', 'SyntaxError']);

function tell(name: string, thrown: unknown): void {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const text = UNEXPECTED.has(error.name) ? error.stack : error.message;
  process.stderr.write(`${name}: ${text ?? error.message}\n`);
}
