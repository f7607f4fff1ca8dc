/**
 * Returns the parsed URL, or undefined. A relative one needs a base. `URL.canParse` is wrong in Node
 * 20: after V8 has compiled its caller, it refuses hosts with letters such as `ü`.
 */
export function parseUrl(text: string, base?: URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
