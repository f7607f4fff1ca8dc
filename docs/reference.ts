/** The API that the pages document: its operations, objects, events and errors. */
import { operationsOf } from './document.ts';
import type { OpenApiDocument, Tag } from './document.ts';

/** A command of `tollgate`, as its help describes it. */
export interface CommandEntry {
  /** With its group, as in `endpoint create`. */
  readonly name: string;
  /** With its arguments, as in `tollgate trigger [options] <type>`. */
  readonly usage: string;
  readonly description: string;
  readonly options: readonly {
    readonly flags: string;
    readonly description: string;
    readonly isRequired: boolean;
  }[];
}

export interface DocsOptions {
  readonly document: OpenApiDocument;
  /** Every error of the API, by its code. */
  readonly catalogue: Readonly<Record<string, { status: number; type: string; message: string }>>;
  /** Every command, in the order of the help. */
  readonly commands: readonly CommandEntry[];
}

export type Reference = ReturnType<typeof readReference>;

/** The schema that a chapter shows after its operations, by the chapter's tag. */
const OBJECTS: Readonly<Record<string, string>> = {
  Payments: 'Payment',
  Refunds: 'Refund',
  Events: 'Event',
  'Webhook endpoints': 'WebhookEndpoint',
  Currencies: 'Currency',
};

export const objectAnchor = (name: string): string => `object-${name.toLowerCase()}`;
export const commandAnchor = (name: string): string => name.replaceAll(' ', '-');
/** Returns the page of a tag, as in `api/test-mode`. */
export const tagPage = (tag: string): string => `api/${tag.toLowerCase().replaceAll(' ', '-')}`;

/** Paths are compared without the names of their parameters, which differ between texts. */
const withoutNames = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}');

/** Reads the document once for all pages. */
export function readReference({ document, catalogue, commands }: DocsOptions) {
  const operations = operationsOf(document);
  const events = Object.keys(document.webhooks ?? {});
  const schemas = document.components?.['schemas'] ?? {};
  /** The address of the API, without a slash at the end. */
  const apiUrl = document.servers?.[0]?.url ?? '';
  const base = URL.canParse(apiUrl) ? new URL(apiUrl).pathname.replace(/\/$/, '') : '';
  /** Returns the link to a page, or to a part of it. The overview has an empty name. */
  const pageHref = (page: string, anchor = ''): string =>
    `${base}/docs${page && `/${page}`}${anchor && `#${anchor}`}`;
  const hrefs = new Map<string, string>([
    ...operations.map(({ method, path, id, tags = [] }) => {
      return [`${method} ${withoutNames(path)}`, pageHref(tagPage(tags[0] ?? ''), id)] as const;
    }),
    ...events.map((type) => [type, pageHref('events', type)] as const),
    ...Object.keys(catalogue).map((code) => [code, pageHref('errors', code)] as const),
    ...commands.map(({ name }) => {
      return [`tollgate ${name}`, pageHref('commands', commandAnchor(name))] as const;
    }),
  ]);
  const chapterOf = (tag: Tag) => ({
    ...tag,
    operations: operations.filter(({ tags }) => tags?.[0] === tag.name),
    object: OBJECTS[tag.name],
  });
  const pageOf = new Map(Object.entries(OBJECTS).map(([tag, name]) => [name, tagPage(tag)]));
  return {
    document,
    catalogue,
    commands,
    operations,
    events,
    apiUrl,
    /** Names of the schemas with entries of their own. */
    objects: Object.values(OBJECTS).filter((name) => schemas[name] !== undefined),
    /** The tags of the document that have operations. */
    chapters: (document.tags ?? []).map(chapterOf).filter((tag) => tag.operations.length > 0),
    pageHref,
    objectHref: (name: string): string => pageHref(pageOf.get(name) ?? '', objectAnchor(name)),
    /** Returns the link to the operation, event, error or command that a piece of code names. */
    linkOf: (code: string): string | undefined => hrefs.get(withoutNames(code)),
  };
}
