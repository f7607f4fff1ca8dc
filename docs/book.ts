/** What every part of the page is made from, and where on it a name of the interface leads. */
import { operationsOf } from './document.ts';
import type { OpenApiDocument, PlacedOperation } from './document.ts';

/** An error as the catalogue of the API has it. */
interface CatalogueEntry {
  readonly status: number;
  readonly type: string;
  readonly message: string;
}

export interface DocsOptions {
  readonly document: OpenApiDocument;
  /** Every error the API can answer, by its code. */
  readonly catalogue: Readonly<Record<string, CatalogueEntry>>;
}

export interface Book extends DocsOptions {
  /** The address of the API, without a slash at the end. */
  readonly apiUrl: string;
  readonly operations: readonly PlacedOperation[];
  /** Names of the schemas that are objects of the interface. */
  readonly objects: readonly string[];
  /** The anchor of what a piece of code names, or undefined. */
  readonly linkOf: (code: string) => string | undefined;
}

/** Schemas that have a place of their own, in the order of the page, where the document has them. */
const OBJECTS = ['Payment', 'Refund', 'Event', 'WebhookEndpoint', 'Currency'];

export const eventAnchor = (type: string): string => `event-${type.replaceAll('.', '-')}`;
export const objectAnchor = (name: string): string => `object-${name.toLowerCase()}`;
export const tagAnchor = (tag: string): string =>
  `reference-${tag.toLowerCase().replaceAll(' ', '-')}`;

/** Reads the document once. */
export function openBook({ document, catalogue }: DocsOptions): Book {
  const operations = operationsOf(document);
  const schemas = document.components?.['schemas'] ?? {};
  const anchors = new Map<string, string>([
    ...operations.map(({ method, path, id }) => [`${method} ${bare(path)}`, id] as const),
    ...Object.keys(document.webhooks ?? {}).map((type) => [type, eventAnchor(type)] as const),
    ...Object.keys(catalogue).map((code) => [code, code] as const),
  ]);
  return {
    document,
    catalogue,
    apiUrl: document.servers?.[0]?.url ?? '',
    operations,
    objects: OBJECTS.filter((name) => schemas[name] !== undefined),
    linkOf: (code) => anchors.get(bare(code)),
  };
}

/** A path without the names of its parameters, which differ between people. */
function bare(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '{}');
}
