/** Looks at what lasts for some seconds only, while the machine may be busy with something else. */

const MAX_TRIES = 4;

/**
 * Does what `begin` has prepared, which has to be over within so many milliseconds, and begins
 * again when it was not: what was seen too late says nothing. Throws what fails in time, and when
 * it was too late time and again.
 */
export async function inTime(
  limitMs: number,
  begin: () => Promise<() => Promise<void>>,
): Promise<void> {
  let last: unknown;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const look = await begin();
    const end = Date.now() + limitMs;
    const fault = await look().then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    last = fault?.error;
    if (Date.now() > end) continue;
    if (fault) throw fault.error;
    return;
  }
  throw new Error(`Not once within ${limitMs} ms.`, { cause: last });
}
