/** An error because the servers cannot be started. The message has the reason and the remedy. */
export class StartError extends Error {
  override name = 'StartError';
}

/** Returns the message of an error on one line. */
export function reason(error: unknown): string {
  const text = textOf(error, 'message') ?? String(error);
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Returns the code of a Node error, such as `EEXIST`. */
export function codeOf(error: unknown): string | undefined {
  return textOf(error, 'code');
}

/** Returns a text member. Not by `instanceof`, because a sandbox has its own `Error` class. */
function textOf(error: unknown, key: 'message' | 'code'): string | undefined {
  const value: unknown = Reflect.get(Object(error), key);
  return typeof value === 'string' ? value : undefined;
}
