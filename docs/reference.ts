/** The API that the page documents: its operations, objects, events and errors. */
import { operationsOf } from './document.ts';
import type { OpenApiDocument, Tag } from './document.ts';

export interface DocsOptions {
  readonly document: OpenApiDocument;
  /** Every error of the API, by its code. */
  readonly catalogue: Readonly<Record<string, { status: number; type: string; message: string }>>;
}

export type Reference = ReturnType<typeof readReference>;

/** Schemas with an entry of their own, in the order of the page. */
const OBJECTS = ['Payment', 'Refund', 'Event', 'WebhookEndpoint', 'Currency'];

export const eventAnchor = (type: string): string => `event-${type.replaceAll('.', '-')}`;
export const objectAnchor = (name: string): string => `object-${name.toLowerCase()}`;
export const tagAnchor = (tag: string): string =>
  `reference-${tag.toLowerCase().replaceAll(' ', '-')}`;

/** Paths are compared without the names of their parameters, which differ between texts. */
const withoutNames = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}');

/** Reads the document once for all parts of the page. */
export function readReference({ document, catalogue }: DocsOptions) {
  const operations = operationsOf(document);
  const events = Object.keys(document.webhooks ?? {});
  const schemas = document.components?.['schemas'] ?? {};
  const anchors = new Map<string, string>([
    ...operations.map(({ method, path, id }) => [`${method} ${withoutNames(path)}`, id] as const),
    ...events.map((type) => [type, eventAnchor(type)] as const),
    ...Object.keys(catalogue).map((code) => [code, code] as const),
  ]);
  const chapterOf = (tag: Tag) => ({
    ...tag,
    operations: operations.filter(({ tags }) => tags?.[0] === tag.name),
  });
  return {
    document,
    catalogue,
    operations,
    events,
    /** The address of the API, without a slash at the end. */
    apiUrl: document.servers?.[0]?.url ?? '',
    objects: OBJECTS.filter((name) => schemas[name] !== undefined),
    /** The tags of the document that have operations. */
    chapters: (document.tags ?? []).map(chapterOf).filter((tag) => tag.operations.length > 0),
    /** Returns the anchor of the operation, event or error that a piece of code names. */
    linkOf: (code: string): string | undefined => anchors.get(withoutNames(code)),
  };
}
