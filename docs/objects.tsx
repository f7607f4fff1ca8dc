/** The objects of the API, and the events about them. */
import { Entry, Fields, Panel, Prose } from './components.tsx';
import { exampleOf, jsonOf, nameOf, resolve, webhookOf } from './document.ts';
import type { Schema } from './document.ts';
import { fieldsOf } from './fields.ts';
import type { Field } from './fields.ts';
import { objectAnchor } from './reference.ts';
import type { Reference } from './reference.ts';

/** An object, its fields, and an example. */
export function ObjectEntry({ api, name }: { api: Reference; name: string }) {
  const schema = api.document.components?.['schemas']?.[name] as Schema;
  const code = <Panel title={name} value={objectExample(api, name)} />;
  return (
    <Entry id={objectAnchor(name)} title={`The ${name} object`} code={code}>
      <Prose api={api} text={schema.description} />
      <Fields api={api} fields={fieldsOf(api, schema).map(asReceived)} />
    </Entry>
  );
}

/** Returns the field as received: never marked required, and without limits on input. */
function asReceived(field: Field): Field {
  return { ...field, isRequired: false, limits: [], children: field.children.map(asReceived) };
}

/** Returns the object from the example of an operation that returns it, or a list of it. */
export function objectExample({ document, operations }: Reference, name: string): unknown {
  // A retrieved object has more fields than one that was just created.
  const media = operations
    .filter(({ method }) => method === 'GET')
    .flatMap(({ responses = {} }) => Object.values(responses))
    .map((response) => jsonOf(document, response));
  const exampleFor = (schema: string): unknown =>
    exampleOf(
      document,
      media.find((one) => nameOf(one?.schema ?? {}) === schema),
    );
  const list = exampleFor(`${name}List`) as { data?: readonly unknown[] } | undefined;
  return exampleFor(name) ?? list?.data?.[0];
}

/** An event, and the body of its webhook. */
export function EventEntry({ api, type }: { api: Reference; type: string }) {
  const { document } = api;
  const { summary, requestBody } = webhookOf(document, type);
  const media = jsonOf(document, requestBody);
  const data = resolve(document, media?.schema ?? {}).properties?.['data'];
  const object = nameOf(data?.properties?.['object'] ?? {});
  const code = <Panel title="Body" value={exampleOf(document, media)} />;
  return (
    <Entry id={type} title={<code>{type}</code>} code={code}>
      <Prose api={api} text={summary} />
      {object !== undefined && (
        <p>
          <code>data.object</code> is a <a href={api.objectHref(object)}>{object}</a>.
        </p>
      )}
    </Entry>
  );
}
