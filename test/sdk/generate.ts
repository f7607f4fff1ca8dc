/** Generates the types in sdk/objects/ from the schemas that the API publishes. */
import { compile } from 'json-schema-to-typescript';
import { format } from 'prettier';
import { makeOpenApi } from '../../api/openapi.ts';

/** The command that writes the files. */
export const COMMAND = 'npm run sdk:types';

/** The types of each file, in order. Lists are missing: the client has its own type, `Page`. */
const FILES: Readonly<Record<string, { about: string; types: readonly string[] }>> = {
  'payment.ts': {
    about: 'Payments, what makes one, and what can be done with one.',
    types: [
      'PaymentStatus',
      'CurrencyCode',
      'Locale',
      'FailureCode',
      'TestOutcome',
      'TestAdvance',
      'Payment',
      'PaymentCreate',
      'PaymentUpdate',
      'PaymentCancel',
      'PaymentOutcome',
      'PaymentAdvance',
    ],
  },
  'refund.ts': {
    about: 'Refunds, and what makes one.',
    types: ['RefundStatus', 'RefundReason', 'Refund', 'RefundCreate'],
  },
  'event.ts': {
    about: 'Events, by type, and the endpoints that they go to.',
    types: ['Event', 'PaymentEvent', 'RefundEvent', 'WebhookEndpointEvent', 'WebhookEndpoint'],
  },
  'currency.ts': { about: 'Currencies.', types: ['Currency'] },
  'error.ts': {
    about: 'The body of a refusal, and every code it can have.',
    types: ['ErrorType', 'ErrorCode', 'FieldError', 'ErrorBody'],
  },
};

/** Nested schemas that get a name. The name replaces every equal schema. */
const NAMED: Readonly<Record<string, readonly [schema: string, ...path: string[]]>> = {
  PaymentStatus: ['Payment', 'status'],
  CurrencyCode: ['Payment', 'currency'],
  Locale: ['Payment', 'locale'],
  FailureCode: ['Payment', 'failure_code'],
  TestOutcome: ['PaymentOutcome', 'outcome'],
  TestAdvance: ['PaymentAdvance', 'to'],
  RefundStatus: ['Refund', 'status'],
  RefundReason: ['Refund', 'reason'],
  ErrorType: ['Error', 'error', 'type'],
  ErrorCode: ['Error', 'error', 'code'],
};

const MAX_COLUMNS = 100;

interface Schema {
  type?: string | readonly string[];
  description?: string;
  enum?: readonly (string | null)[];
  properties?: Readonly<Record<string, Schema>>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
}
type Schemas = Readonly<Record<string, Schema>>;

/** Returns the text of every file of sdk/objects/, by name. */
export async function generateObjects(): Promise<ReadonlyMap<string, string>> {
  const { components } = makeOpenApi({
    apiUrl: 'https://api.example',
    version: '0.0.0',
    isExact: true,
  });
  const definitions = prepare(components.schemas as Schemas);
  const names = Object.values(FILES).flatMap(({ types }) => types);
  const properties = Object.fromEntries(
    names.map((name) => [name, { $ref: `#/definitions/${name}` }]),
  );
  const root = { type: 'object', properties, definitions } as Parameters<typeof compile>[0];
  const options = { bannerComment: '', additionalProperties: false } as const;
  const blocks = blocksOf(await compile(root, 'All', options));
  const files = Object.entries(FILES).map(async ([file, { about, types }]) => {
    const body = types.map((name) => blocks.get(name) ?? '').join('\n\n');
    const head = `/**\n * ${about}\n * Written by \`${COMMAND}\`: do not edit.\n */`;
    // A caller may pass undefined, which JSON leaves out.
    const lenient = body.replaceAll(/(\?: [^;\n]+);$/gm, '$1 | undefined;');
    const text = [head, ...importsOf(file, body), '', lenient].join('\n');
    const style = { parser: 'typescript', printWidth: MAX_COLUMNS, singleQuote: true } as const;
    return [file, foldComments(await format(text, style))] as const;
  });
  return new Map(await Promise.all(files));
}

/** Returns the schemas plus the named ones. Renames `Error`, which would hide the global. */
function prepare(schemas: Schemas): Record<string, unknown> {
  const named = Object.entries(NAMED).map(([name, path]) => ({
    name,
    values: valuesAt(schemas, path),
  }));
  const nameOf = ({ enum: values }: Schema) =>
    named.find((each) => values && JSON.stringify(each.values) === JSON.stringify(present(values)));
  const fieldErrors = schemas['Error']?.properties?.['error']?.properties?.['errors'];
  const text = JSON.stringify({ ...schemas, FieldError: fieldErrors?.items }).replaceAll(
    '#/components/schemas/',
    '#/definitions/',
  );
  const { Error: body, ...others } = JSON.parse(text, (key, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    // No type can express limits that depend on another field.
    if (key === 'allOf') return undefined;
    const name = nameOf(value)?.name;
    if (name !== undefined) return withType(value, name);
    // No type can express the rules for keys and values, which the service checks.
    if (key === 'metadata') return withType(value, `Record<string, ${metadataOf(value)}>`);
    return key === 'errors' ? withType(value, 'FieldError[]') : value;
  }) as Record<string, object>;
  const enums = named.map(({ name, values }) => [name, { type: 'string', enum: values }]);
  return { ...others, ...Object.fromEntries(enums), ErrorBody: { ...body, title: 'ErrorBody' } };
}

const present = (values: readonly (string | null)[]) => values.filter((value) => value !== null);

function valuesAt(schemas: Schemas, [schema, ...path]: readonly string[]): readonly string[] {
  const top = schemas[schema ?? ''];
  const found = path.reduce<Schema | undefined>((at, key) => at?.properties?.[key], top)?.enum;
  if (!found) throw new Error(`${schema}.${path.join('.')} is not in the document: see NAMED.`);
  return present(found);
}

/** Returns the type of the values. In a change, null removes one. */
const metadataOf = ({ additionalProperties: values }: Schema): string =>
  typeof values === 'object' && values.type?.includes('null') ? 'string | null' : 'string';

function withType({ type, description, properties }: Schema, name: string): object {
  const keys = Object.entries(properties ?? {}).map(([key, of]) => `\`${key}\`: ${of.description}`);
  const tsType = type?.includes('null') ? `${name} | null` : name;
  return { description: [description ?? '', ...keys].join(' ').trim(), tsType };
}

/** Returns the declarations by name, each with its comment. */
function blocksOf(code: string): ReadonlyMap<string, string> {
  const declarations = code.split(/^(?=\/\*\*|export )/m).reduce<string[]>((all, part) => {
    const last = all.at(-1);
    // A comment belongs to the declaration after it.
    if (last?.startsWith('/**') && !last.includes('export '))
      return [...all.slice(0, -1), last + part];
    return [...all, part];
  }, []);
  return new Map(
    declarations.map((text) => [/^export \w+ (\w+)/m.exec(text)?.[1] ?? '', text.trim()]),
  );
}

/** Returns the file's imports from the others. */
function importsOf(file: string, body: string): string[] {
  const code = body.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/'[^']*'/g, '');
  return Object.entries(FILES).flatMap(([other, { types }]) => {
    const used = types.filter((name) => new RegExp(`\\b${name}\\b`).test(code)).toSorted();
    if (other === file || used.length === 0) return [];
    return [`import type { ${used.join(', ')} } from './${other}';`];
  });
}

/** Puts each comment on one line if it fits, and otherwise wraps it. */
function foldComments(code: string): string {
  return code.replaceAll(
    /^( *)\/\*\*\n([\s\S]*?)\n *\*\//gm,
    (_, indent: string, inner: string) => {
      const text = inner
        .replaceAll(/^ *\* ?/gm, '')
        .replaceAll('\n', ' ')
        .trim();
      const whole = `${indent}/** ${text} */`;
      if (whole.length <= MAX_COLUMNS) return whole;
      const lines = text.split(' ').reduce<string[]>((all, word) => {
        const longer = `${all.at(-1) ?? ''} ${word}`;
        const fits = all.length > 0 && longer.length <= MAX_COLUMNS;
        return fits ? [...all.slice(0, -1), longer] : [...all, `${indent} * ${word}`];
      }, []);
      return [`${indent}/**`, ...lines, `${indent} */`].join('\n');
    },
  );
}
