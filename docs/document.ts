/** The parts of an OpenAPI 3.1 document that the page reads, and its references. */

type Named<T> = Readonly<Record<string, T>>;

interface Referable {
  readonly $ref?: string;
  readonly description?: string;
}

export interface Schema extends Referable {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly properties?: Named<Schema>;
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

interface Example extends Referable {
  readonly value?: unknown;
}

interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Named<Example>;
}

interface Body extends Referable {
  readonly content?: Named<Media>;
}

export interface Parameter extends Referable {
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

export interface Tag {
  readonly name: string;
  readonly description?: string;
}

interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body;
  readonly responses?: Named<Body>;
}

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description?: string;
  };
  readonly servers?: readonly { readonly url: string }[];
  readonly tags?: readonly Tag[];
  readonly paths: Named<Named<unknown>>;
  readonly webhooks?: Named<Named<unknown>>;
  readonly components?: Named<Named<unknown>>;
}

/** Returns the target of a reference, or `part` itself if it is not one. */
export function resolve<T extends Referable>(document: OpenApiDocument, part: T): T {
  const { $ref, ...rest } = part;
  if ($ref === undefined) return part;
  let found: unknown = document;
  for (const name of $ref.replace(/^#\//, '').split('/')) {
    found = (found as Named<unknown> | undefined)?.[name];
  }
  if (found === undefined) throw new Error(`The document has no ${$ref}.`);
  // In OpenAPI 3.1, a description beside a reference replaces that of its target.
  return resolve(document, { ...(found as T), ...rest });
}

/** Returns the last part of a reference, as in `Payment`. */
export function nameOf({ $ref }: Referable): string | undefined {
  return $ref?.split('/').at(-1);
}

/** Returns the JSON of a request or response. */
export function jsonOf(document: OpenApiDocument, body: Body | undefined): Media | undefined {
  return body && resolve(document, body).content?.['application/json'];
}

/** Returns the first example of a request or response. */
export function exampleOf(document: OpenApiDocument, media: Media | undefined): unknown {
  if (media?.example !== undefined) return media.example;
  const [first] = Object.values(media?.examples ?? {});
  return first && resolve(document, first).value;
}

export interface PlacedOperation extends Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Returns every operation of the document, in its order. */
export function operationsOf(document: OpenApiDocument): PlacedOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, value]) => {
        const operation = value as Operation;
        const id = operation.operationId ?? `${method}-${path}`;
        return { ...operation, id, method: method.toUpperCase(), path };
      }),
  );
}

/** Returns the request of an event's webhook. */
export function webhookOf(document: OpenApiDocument, type: string): Operation {
  return document.webhooks?.[type]?.['post'] ?? {};
}
