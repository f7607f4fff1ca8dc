/** The servers cannot be started. The message says why, and what to do. */
export class StartError extends Error {
  override name = 'StartError';
}

/** Returns the message of an error on one line. */
export function reason(error: unknown): string {
  const text = textOf(error, 'message') ?? String(error);
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Returns the code of an error of Node's, such as `EEXIST`. */
export function codeOf(error: unknown): string | undefined {
  return textOf(error, 'code');
}

/** Reads by shape: Node's errors have another `Error` class where modules run sandboxed. */
function textOf(error: unknown, key: 'message' | 'code'): string | undefined {
  const value: unknown = Reflect.get(Object(error), key);
  return typeof value === 'string' ? value : undefined;
}
