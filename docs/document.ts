/** As much of an OpenAPI 3.1 document as the page reads, and the following of its references. */

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxProperties?: number;
  readonly maxItems?: number;
  readonly additionalProperties?: Schema | boolean;
  readonly propertyNames?: { readonly maxLength?: number; readonly pattern?: string };
}

export interface Example {
  readonly $ref?: string;
  readonly summary?: string;
  readonly value?: unknown;
}

export interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Example>>;
}

export interface Parameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema?: Schema;
  readonly example?: unknown;
}

export interface Response {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Readonly<Record<string, Media>>;
}

export interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly description?: string;
    readonly content?: Readonly<Record<string, Media>>;
  };
  readonly responses?: Readonly<Record<string, Response>>;
}

export type Path = Readonly<Record<string, unknown>>;

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description?: string;
  };
  readonly servers?: readonly { readonly url: string }[];
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Path>>;
  readonly webhooks?: Readonly<Record<string, Path>>;
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

interface Referring {
  readonly $ref?: string;
}

/** What the reference leads to inside of the document, or `part` itself when it is none. */
export function follow<T extends Referring>(document: OpenApiDocument, part: T): T {
  if (part.$ref === undefined) return part;
  const names = part.$ref.replace(/^#\//, '').split('/');
  let found: unknown = document;
  for (const name of names) found = (found as Record<string, unknown> | undefined)?.[name];
  if (found === undefined) throw new Error(`The document has no ${part.$ref}.`);
  return follow(document, { ...(found as T), ...withoutRef(part) });
}

/** In OpenAPI 3.1 a description beside a reference stands instead of the one it leads to. */
function withoutRef<T extends Referring>(part: T): Partial<T> {
  const { $ref: _, ...rest } = part;
  return rest as Partial<T>;
}

/** The name at the end of a reference, as in `Payment`; undefined for what is none. */
export function nameOf({ $ref }: Referring): string | undefined {
  return $ref?.split('/').at(-1);
}

export interface PlacedOperation extends Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
}

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete']);

/** Every operation of the document, in its order. */
export function operationsOf(document: OpenApiDocument): PlacedOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, value]) => {
      if (!METHODS.has(method)) return [];
      const operation = value as Operation;
      const id = operation.operationId ?? `${method}-${path}`;
      return [{ ...operation, id, method: method.toUpperCase(), path }];
    }),
  );
}

/** The first example of a body. */
export function exampleOf(document: OpenApiDocument, media: Media | undefined): unknown {
  if (media?.example !== undefined) return media.example;
  const first = Object.values(media?.examples ?? {})[0];
  return first === undefined ? undefined : follow(document, first).value;
}
