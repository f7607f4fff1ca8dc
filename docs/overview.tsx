/**
 * The first page: an introduction, and a list of everything. Once it was the only page, so each
 * item has the anchor that it had then. A script leads from there to the item's own page.
 */
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { Prose } from './components.tsx';
import { summaryOf } from './guides.ts';
import { anchorOf } from './markdown.ts';
import type { DocsPage, PageGroup } from './pages.tsx';
import { objectAnchor, tagPage } from './reference.ts';
import type { Reference } from './reference.ts';

/** The groups of pages that come first. */
const FIRST = ['Start', 'Guides'];

/** Splits the text into the idea of the service and the rules of every call, which are in bold. */
function splitIntroduction(description: string): string[] {
  const at = description.search(/\n\n\*\*/);
  return at === -1 ? [description] : [description.slice(0, at), description.slice(at)];
}

/** Returns the overview. `groups` are the other pages. */
export function makeOverview(api: Reference, groups: readonly PageGroup[]): DocsPage {
  const { title, description = '' } = api.document.info;
  const [first = ''] = splitIntroduction(description);
  const html = renderToString(<Overview api={api} groups={groups} />);
  const pages = groups.flatMap((group) => group.pages);
  const links = pages.map((page) => {
    return `- [${page.title}](${api.apiUrl}/docs/${page.slug}.md): ${page.summary}`;
  });
  return {
    slug: '',
    title: 'Overview',
    summary: summaryOf(`<p>${first}</p>`),
    html,
    markdown: `# ${title}\n\n${description}\n\n## Pages\n\n${links.join('\n')}`,
  };
}

function Overview({ api, groups }: { api: Reference; groups: readonly PageGroup[] }) {
  const [idea, rules] = splitIntroduction(api.document.info.description ?? '');
  const partOf = ({ title, pages }: PageGroup) => (
    <Part key={title} title={title}>
      {pages.map(({ slug, title: name, summary }) => (
        <Item key={slug} anchor={slug} href={api.pageHref(slug)} name={name} text={summary} />
      ))}
    </Part>
  );
  return (
    <>
      <Prose api={api} text={idea} />
      <p class="prose">
        Begin with the <a href={api.pageHref('quickstart')}>quickstart</a>. Programs read{' '}
        <a href={api.pageHref('llms.txt')}>llms.txt</a>, or any page as Markdown with{' '}
        <code>.md</code> after its address.
      </p>
      {groups.filter(({ title }) => FIRST.includes(title)).map(partOf)}
      <section class="part">
        <h2 id="rules">Every call</h2>
        <p>
          All paths begin at <code>{api.apiUrl}</code>
        </p>
        <Prose api={api} text={rules} />
      </section>
      {api.chapters.map(({ name, operations, object }) => (
        <Part key={name} title={name} anchor={`reference-${tagPage(name).slice('api/'.length)}`}>
          {operations.map(({ id, method, path, summary = id }) => {
            const href = api.pageHref(tagPage(name), id);
            const call = `${method} ${path}`;
            return <Item key={id} anchor={id} href={href} name={summary} code={call} />;
          })}
          {object !== undefined && (
            <Item
              anchor={objectAnchor(object)}
              href={api.objectHref(object)}
              name={`The ${object} object`}
            />
          )}
        </Part>
      ))}
      <Part title="Event types" anchor="event-types">
        {api.events.map((type) => {
          const anchor = `event-${type.replaceAll('.', '-')}`;
          return (
            <Item key={type} anchor={anchor} href={api.pageHref('events', type)} name={type} />
          );
        })}
      </Part>
      <Part title="Errors">
        <Item anchor="errors" href={api.pageHref('errors')} name="Errors" text="Their form." />
        {Object.keys(api.catalogue).map((code) => (
          <Item key={code} anchor={code} href={api.pageHref('errors', code)} name={code} />
        ))}
      </Part>
      {groups.filter(({ title }) => title === 'Operating').map(partOf)}
    </>
  );
}

interface PartProps {
  readonly title: string;
  readonly anchor?: string;
  readonly children: ComponentChildren;
}

function Part({ title, anchor = `list-${anchorOf(title)}`, children }: PartProps) {
  return (
    <section class="part">
      <h2 id={anchor}>{title}</h2>
      <ul class="items">{children}</ul>
    </section>
  );
}

interface ItemProps {
  readonly anchor: string;
  readonly href: string;
  readonly name: string;
  readonly text?: string;
  readonly code?: string;
}

function Item({ anchor, href, name, text, code }: ItemProps) {
  return (
    <li id={anchor}>
      <a href={href}>{name}</a> {code === undefined ? text : <code>{code}</code>}
    </li>
  );
}
