/** The pages of the reference as Markdown, for programs that read it. */
import { groupCommands, sentence } from './commands.tsx';
import { requestFences } from './calls.ts';
import { exampleOf, jsonOf, resolve, webhookOf } from './document.ts';
import type { PlacedOperation, Schema } from './document.ts';
import { REMEDIES } from './errors.tsx';
import { fieldsOf } from './fields.ts';
import type { Field } from './fields.ts';
import { objectExample } from './objects.tsx';
import { asField, bodyFields } from './operation.tsx';
import type { CommandEntry, Reference } from './reference.ts';
import { codesOf, successOf } from './responses.tsx';

const JSON_INDENT = 2;

type Chapter = Reference['chapters'][number];

const join = (parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join('\n\n');

const fenced = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

const json = (value: unknown): string | undefined =>
  value === undefined ? undefined : fenced('json', JSON.stringify(value, undefined, JSON_INDENT));

/** Returns the operations of a chapter, and its object. */
export function plainChapter(api: Reference, { name, description, ...chapter }: Chapter): string {
  const operations = chapter.operations.map((operation) => plainOperation(api, operation));
  const object = chapter.object === undefined ? '' : plainObject(api, chapter.object);
  return join([`# ${name}`, description, ...operations, object]);
}

function plainOperation(api: Reference, operation: PlacedOperation): string {
  const { method, path, summary, description, parameters = [] } = operation;
  const all = parameters.map((one) => resolve(api.document, one));
  const groups = ['path', 'query', 'header'].map((place) => {
    return [place, all.filter((one) => one.in === place).map((one) => asField(api, one))] as const;
  });
  const { status, example } = successOf(api, operation);
  return join([
    `## ${summary ?? operation.id}`,
    `\`${method} ${path}\``,
    description,
    ...[...groups, ['body', bodyFields(api, operation)] as const].map(([place, fields]) =>
      fields.length === 0 ? '' : `Parameters (${place}):\n\n${plainFields(fields)}`,
    ),
    `Errors: ${codesOf(api, operation)
      .map((code) => `\`${code}\``)
      .join(', ')}`,
    requestFences(api, operation),
    `Response ${status}:`,
    json(example),
  ]);
}

function plainObject(api: Reference, name: string): string {
  const schema = api.document.components?.['schemas']?.[name] as Schema;
  const fields = plainFields(fieldsOf(api, schema));
  return join([
    `## The ${name} object`,
    schema.description,
    fields,
    json(objectExample(api, name)),
  ]);
}

function plainFields(fields: readonly Field[], indent = ''): string {
  return fields
    .map(({ name, type, isRequired, isNullable, description, limits, values, children }) => {
      const kind = [isNullable ? `${type} or null` : type, isRequired ? 'required' : ''];
      const choice = values.length > 0 ? [`one of ${values.join(', ')}`] : [];
      const rules = [...limits, ...choice].join('; ');
      const words = [description.replaceAll('\n', ' '), rules && `(${rules})`].filter(Boolean);
      const line = `${indent}- \`${name}\` (${kind.filter(Boolean).join(', ')}) ${words.join(' ')}`;
      return [line.trimEnd(), plainFields(children, `${indent}  `)].filter(Boolean).join('\n');
    })
    .join('\n');
}

/** Returns every event type, with the body of its webhook. */
export function plainEvents(api: Reference, introduction: string): string {
  const events = api.events.map((type) => {
    const { summary, requestBody } = webhookOf(api.document, type);
    const example = exampleOf(api.document, jsonOf(api.document, requestBody));
    return join([`## ${type}`, summary, json(example)]);
  });
  return join(['# Event types', introduction, ...events]);
}

/** Returns the list of errors, to follow the guide. */
export function plainErrors({ catalogue }: Reference): string {
  const errors = Object.entries(catalogue).map(([code, { status, message }]) => {
    return `- \`${code}\` (${status}): ${message} ${REMEDIES[code] ?? ''}`;
  });
  return `## All errors\n\n${errors.join('\n')}`;
}

/** Returns every command with its options. */
export function plainCommands({ commands }: Reference, introduction: string): string {
  const groups = groupCommands(commands).map(({ title, text, commands: those }) =>
    join([`## ${title}`, text, ...those.map(plainCommand)]),
  );
  return join(['# Command line', introduction, ...groups]);
}

function plainCommand({ name, usage, description, options }: CommandEntry): string {
  const lines = options.map(({ flags, description: text, isRequired }) => {
    return `- \`${flags}\`${isRequired ? ' (required)' : ''}: ${sentence(text)}`;
  });
  return join([
    `### ${name}`,
    sentence(description),
    fenced('sh', `npx ${usage}`),
    lines.join('\n'),
  ]);
}
