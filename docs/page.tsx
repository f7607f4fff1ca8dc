/**
 * The documentation as one page: the guides, and the reference from the OpenAPI document. It loads
 * nothing from other servers. Its one script fills the reader's test key into the examples.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ComponentChildren } from 'preact';
import { Document, renderDocument } from '../ui/document.tsx';
import { Prose } from './components.tsx';
import { Contents } from './contents.tsx';
import { ErrorList } from './errors.tsx';
import { GUIDES, readGuide } from './guides.ts';
import type { Guide } from './guides.ts';
import { EventEntry, ObjectEntry } from './objects.tsx';
import { OperationEntry } from './operation.tsx';
import { readReference, tagAnchor } from './reference.ts';
import type { DocsOptions, Reference } from './reference.ts';

/** The icon of the checkout pages. It is inline, because the API serves no files. */
const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f4fd1"/><path d="M7 11h18v3H18v11h-4V14H7z" fill="#fff"/></svg>',
)}`;

const STYLES = ['../ui/reset.css', 'page.css'];

const read = (file: string): string => readFileSync(path.join(import.meta.dirname, file), 'utf8');

/** Returns the page as HTML text. Its server must allow its inline style and script by hash. */
export function renderDocs(options: DocsOptions): string {
  const api = readReference(options);
  const guides = GUIDES.map((slug) => readGuide(slug, api));
  const css = STYLES.map(read).join('');
  const head = (
    <>
      <meta name="color-scheme" content="light dark" />
      <style dangerouslySetInnerHTML={{ __html: css }} />
      <script type="module" dangerouslySetInnerHTML={{ __html: read('key.js') }} />
    </>
  );
  const title = `${api.document.info.title} documentation`;
  return renderDocument(
    <Document locale="en" title={title} styles={[]} icon={ICON} head={head}>
      <Page api={api} guides={guides} />
    </Document>,
  );
}

function Page({ api, guides }: { api: Reference; guides: readonly Guide[] }) {
  const { info } = api.document;
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="top">
        <a class="brand" href="#content">
          Tollgate
        </a>
        <a href="openapi.json">OpenAPI</a>
        <a class="top-menu" href="#contents">
          Contents
        </a>
      </header>
      <div class="frame">
        <Contents api={api} guides={guides} />
        <main id="content" tabIndex={-1}>
          <div class="hero">
            <h1>{info.title}</h1>
            <Prose api={api} text={info.description} />
            <p>
              All paths begin at <code>{api.apiUrl}</code>
            </p>
            <div class="own-key" hidden>
              <label for="own-key">Your test key, for the examples on this page</label>
              <input
                id="own-key"
                placeholder="sk_test_..."
                autocomplete="off"
                spellcheck={false}
                aria-describedby="own-key-hint"
              />
              <p id="own-key-hint">
                It stays in this browser tab until you close it, and is never sent.
              </p>
            </div>
          </div>
          {guides.map(({ slug, html }) => (
            <article key={slug} class="guide" dangerouslySetInnerHTML={{ __html: html }} />
          ))}
          <Chapters api={api} />
        </main>
      </div>
    </>
  );
}

function Chapters({ api }: { api: Reference }) {
  return (
    <>
      {api.chapters.map(({ name, description, operations }) => (
        <Chapter key={name} id={tagAnchor(name)} title={name}>
          <Prose api={api} text={description} />
          {operations.map((operation) => (
            <OperationEntry key={operation.id} api={api} operation={operation} />
          ))}
        </Chapter>
      ))}
      <Chapter id="event-types" title="Event types">
        {api.events.map((type) => (
          <EventEntry key={type} api={api} type={type} />
        ))}
      </Chapter>
      <Chapter id="objects" title="Objects">
        {api.objects.map((name) => (
          <ObjectEntry key={name} api={api} name={name} />
        ))}
      </Chapter>
      <section class="chapter" aria-labelledby="errors">
        <div class="guide" dangerouslySetInnerHTML={{ __html: readGuide('errors', api).html }} />
        <ErrorList api={api} />
      </section>
    </>
  );
}

interface ChapterProps {
  readonly id: string;
  readonly title: string;
  readonly children: ComponentChildren;
}

function Chapter({ id, title, children }: ChapterProps) {
  return (
    <section class="chapter" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}
