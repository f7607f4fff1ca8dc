/** How every process of ours begins and ends. */
import closeWithGrace from 'close-with-grace';

/** After so long a process that was told to stop is ended all the same. */
const GRACE_MS = 25_000;

type Close = () => Promise<void>;

/**
 * Runs `body`, which may hand over steps for the end; they are taken in reverse order on SIGTERM,
 * SIGINT and an uncaught error, and when `body` ends. When it throws, the fault is told (without a
 * stack, if it is one that we named) and the process exits with 1.
 */
export async function runProcess(
  name: string,
  body: (onClose: (step: Close) => void) => Promise<unknown>,
): Promise<void> {
  const steps: Close[] = [];
  const finish = async (): Promise<void> => {
    for (const step of steps.splice(0).toReversed()) {
      await step().catch((error: unknown) => tell(name, error));
    }
  };
  const grace = closeWithGrace({ delay: GRACE_MS }, async ({ err }) => {
    if (err) tell(name, err);
    await finish();
  });
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
