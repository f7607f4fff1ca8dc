/** Every page of the documentation, in groups and in the order of reading. */
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { CommandList } from './commands.tsx';
import { ErrorList } from './errors.tsx';
import { GUIDES, MANUALS, readGuide, readManual } from './guides.ts';
import type { Guide } from './guides.ts';
import { renderMarkdown } from './markdown.ts';
import { EventEntry, ObjectEntry } from './objects.tsx';
import { OperationEntry } from './operation.tsx';
import { plainChapter, plainCommands, plainErrors, plainEvents } from './plain.ts';
import { tagPage } from './reference.ts';
import type { Reference } from './reference.ts';

/** A page: a guide, or one of the reference in the same form. `html` leaves out the title. */
export type DocsPage = Guide;

export interface PageGroup {
  readonly title: string;
  readonly pages: readonly DocsPage[];
}

/** The number of guides that come before all other pages. */
const FIRST_GUIDES = 2;

const EVENTS =
  'Each event is sent to your [receivers](webhooks.md) and listed by `GET /v1/events`, with the same ' +
  'bytes. `data.object` is the object as it was at that moment.';
const COMMANDS =
  'The command `tollgate` comes with the service. `--help` after any command shows its options. ' +
  'With `--json`, commands print lines of JSON.';

/** Returns the pages except for the overview. */
export function makePages(api: Reference): PageGroup[] {
  const guides = GUIDES.map((slug) => readGuide(slug, api));
  return [
    { title: 'Start', pages: guides.slice(0, FIRST_GUIDES) },
    { title: 'Guides', pages: guides.slice(FIRST_GUIDES) },
    { title: 'API', pages: api.chapters.map((chapter) => chapterPage(api, chapter)) },
    { title: 'Reference', pages: [eventsPage(api), errorsPage(api), commandsPage(api)] },
    { title: 'Operating', pages: MANUALS.map((slug) => readManual(slug, api)) },
  ];
}

function chapterPage(api: Reference, chapter: Reference['chapters'][number]): DocsPage {
  const { name, description = '', operations, object } = chapter;
  const entries = (
    <>
      {operations.map((operation) => (
        <OperationEntry key={operation.id} api={api} operation={operation} />
      ))}
      {object !== undefined && <ObjectEntry api={api} name={object} />}
    </>
  );
  return {
    slug: tagPage(name),
    title: name,
    summary: description,
    html: introduced(api, description, entries),
    markdown: plainChapter(api, chapter),
  };
}

function eventsPage(api: Reference): DocsPage {
  const entries = api.events.map((type) => <EventEntry key={type} api={api} type={type} />);
  return {
    slug: 'events',
    title: 'Event types',
    summary: 'Every event, with an example of its body.',
    html: introduced(api, EVENTS, <>{entries}</>),
    markdown: plainEvents(api, EVENTS),
  };
}

function errorsPage(api: Reference): DocsPage {
  const guide = readGuide('errors', api);
  const list = renderToString(
    <section>
      <h2 id="all-errors">All errors</h2>
      <ErrorList api={api} />
    </section>,
  );
  return {
    ...guide,
    summary: 'Every error code, and what to do about it.',
    html: guide.html + list,
    markdown: `${guide.markdown.trimEnd()}\n\n${plainErrors(api)}`,
  };
}

function commandsPage(api: Reference): DocsPage {
  return {
    slug: 'commands',
    title: 'Command line',
    summary: 'Every command of tollgate, with its options.',
    html: introduced(api, COMMANDS, <CommandList api={api} />),
    markdown: plainCommands(api, COMMANDS),
  };
}

/** Returns an introduction, which is Markdown, and what follows it. */
function introduced(api: Reference, text: string, rest: VNode): string {
  const { linkOf, pageHref: pageLinkOf } = api;
  const html = renderMarkdown(text, { linkOf, pageLinkOf, readFile: () => '' });
  return `<div class="prose">${html}</div>${renderToString(rest)}`;
}
