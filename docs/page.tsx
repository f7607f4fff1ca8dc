/**
 * The documentation as one page without scripts: guides, and the reference that the OpenAPI
 * document makes. Nothing in it is asked of another server.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Document, renderDocument } from '../ui/document.tsx';
import { openBook, tagAnchor } from './book.ts';
import type { Book, DocsOptions } from './book.ts';
import { Catalogue } from './catalogue.tsx';
import { Contents, tagsOf } from './contents.tsx';
import { GUIDES, readGuide } from './guides.ts';
import type { Guide } from './guides.ts';
import { EventEntry, ObjectEntry } from './objects.tsx';
import { OperationEntry } from './operation.tsx';
import { Prose } from './prose.tsx';

export type { DocsOptions } from './book.ts';

/** The icon of the checkout pages, inline: the page is all that its server has to answer. */
const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f4fd1"/><path d="M7 11h18v3H18v11h-4V14H7z" fill="#fff"/></svg>',
)}`;

/** The page as HTML text. Its one style is inline: whoever serves it allows that by its hash. */
export function renderDocs(options: DocsOptions): string {
  const book = openBook(options);
  const guides = GUIDES.map((slug) => readGuide(slug, book));
  const css = readFileSync(path.join(import.meta.dirname, 'page.css'), 'utf8');
  const head = (
    <>
      <meta name="color-scheme" content="light dark" />
      <style dangerouslySetInnerHTML={{ __html: css }} />
    </>
  );
  const title = `${book.document.info.title} documentation`;
  return renderDocument(
    <Document locale="en" title={title} styles={[]} icon={ICON} head={head}>
      <Page book={book} guides={guides} />
    </Document>,
  );
}

function Page({ book, guides }: { book: Book; guides: readonly Guide[] }) {
  const { info } = book.document;
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="top">
        <a class="brand" href="#content">
          Tollgate
        </a>
        <a class="top-link" href="openapi.json">
          OpenAPI
        </a>
        <a class="top-menu" href="#contents">
          Contents
        </a>
      </header>
      <div class="frame">
        <Contents book={book} guides={guides} />
        <main id="content" tabIndex={-1}>
          <div class="hero">
            <h1>{info.title}</h1>
            <Prose book={book} text={info.description} />
            <p class="address">
              All paths begin at <code>{book.apiUrl}</code>
            </p>
          </div>
          {guides.map(({ slug, html }) => (
            <article key={slug} class="guide" dangerouslySetInnerHTML={{ __html: html }} />
          ))}
          <Reference book={book} />
          <ErrorSection book={book} />
        </main>
      </div>
    </>
  );
}

function Reference({ book }: { book: Book }) {
  return (
    <>
      {tagsOf(book).map(({ name, description, operations }) => (
        <section key={name} class="chapter" aria-labelledby={tagAnchor(name)}>
          <h2 id={tagAnchor(name)}>{name}</h2>
          <Prose book={book} text={description} />
          {operations.map((operation) => (
            <OperationEntry key={operation.id} book={book} operation={operation} />
          ))}
        </section>
      ))}
      <section class="chapter" aria-labelledby="event-types">
        <h2 id="event-types">Event types</h2>
        {Object.keys(book.document.webhooks ?? {}).map((type) => (
          <EventEntry key={type} book={book} type={type} />
        ))}
      </section>
      <section class="chapter" aria-labelledby="objects">
        <h2 id="objects">Objects</h2>
        {book.objects.map((name) => (
          <ObjectEntry key={name} book={book} name={name} />
        ))}
      </section>
    </>
  );
}

function ErrorSection({ book }: { book: Book }) {
  const { html } = readGuide('errors', book);
  return (
    <section class="chapter" aria-labelledby="errors">
      <div class="guide" dangerouslySetInnerHTML={{ __html: html }} />
      <Catalogue book={book} />
    </section>
  );
}
