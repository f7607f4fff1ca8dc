/**
 * Returns the parsed URL, or undefined. `URL.canParse` is wrong in Node 20: after V8 has compiled
 * its caller, it refuses hosts with letters such as `ü`.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
