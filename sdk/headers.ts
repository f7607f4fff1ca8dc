/** Looks up headers in the forms that web frameworks use. */

/** A `Headers` object, Node's `request.headers`, or a record with names in any case. */
export type WebhookHeaders =
  | { readonly get: (name: string) => string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Returns all values of the header. Its name is given in lower case. */
export function headerValues(headers: WebhookHeaders, name: string): readonly string[] {
  if (typeof headers !== 'object' || headers === null) return [];
  if (isHeaders(headers)) {
    // A Map, which plain JavaScript may pass, returns undefined where Headers return null.
    const value: unknown = headers.get(name);
    return typeof value === 'string' ? [value] : [];
  }
  return Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, value]) => value ?? [])
    .filter((value) => typeof value === 'string');
}

function isHeaders(headers: WebhookHeaders): headers is { get: (name: string) => string | null } {
  return typeof headers['get'] === 'function';
}
