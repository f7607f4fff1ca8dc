/** Turns JSON Schemas into lists of fields, with their types and limits in words. */
import { nameOf, resolve } from './document.ts';
import type { OpenApiDocument, Schema } from './document.ts';

export interface Field {
  readonly name: string;
  /** In words, as in `string` or `array of objects`. */
  readonly type: string;
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  readonly description: string;
  /** Limits in words, as in `at most 255 characters`. */
  readonly limits: readonly string[];
  readonly values: readonly string[];
  /** The objects that it can hold, if they have entries of their own. */
  readonly objectNames: readonly string[];
  readonly children: readonly Field[];
}

/** The deepest level of objects within objects. */
const MAX_DEPTH = 4;

interface Source {
  readonly document: OpenApiDocument;
  /** Names of the schemas with entries of their own. */
  readonly objects: readonly string[];
}

/** Returns the fields of an object's schema. */
export function fieldsOf(source: Source, schema: Schema, depth = 0): Field[] {
  if (depth >= MAX_DEPTH) return [];
  const { properties = {}, required = [] } = merge(schema, source.document);
  return Object.entries(properties).map(([name, property]) => ({
    ...fieldOf(source, property, depth),
    name,
    isRequired: required.includes(name),
  }));
}

function fieldOf(source: Source, property: Schema, depth: number) {
  const { document, objects } = source;
  const { inner, isNullable } = withoutNull(property, document);
  const schema = resolve(document, inner);
  const names = (inner.oneOf ?? [inner]).map((kind) => nameOf(kind) ?? '');
  const objectNames = names.filter((name) => objects.includes(name));
  const item = schema.items && resolve(document, schema.items);
  const { enum: values = [] } = item ?? schema;
  const always = typeof schema.const === 'string' ? `Always \`${schema.const}\`.` : '';
  return {
    type: typeOf(schema, item),
    isNullable,
    description: property.description ?? schema.description ?? always,
    limits: limitsOf(schema),
    values: values.filter((value) => value !== null).map(String),
    objectNames,
    children: objectNames.length > 0 ? [] : fieldsOf(source, item ?? schema, depth + 1),
  };
}

const PLURALS: Readonly<Record<string, string>> = { string: 'strings', object: 'objects' };

function typeOf({ type = [], const: value, format }: Schema, item?: Schema): string {
  const name = [type].flat().join(' or ');
  const inner = item && typeOf(item);
  if (name === 'array') return inner ? `array of ${PLURALS[inner] ?? inner}` : 'array';
  if (name === '' && value !== undefined) return typeof value;
  if (format === 'date-time') return 'time';
  return name === '' ? 'object' : name;
}

const limit = (words: string, value: number | undefined, unit = ''): string[] =>
  value === undefined ? [] : [`${words} ${value.toLocaleString('en')}${unit}`];

function limitsOf(schema: Schema): string[] {
  const { minLength, propertyNames: keys, additionalProperties } = schema;
  const values = typeof additionalProperties === 'object' ? additionalProperties : {};
  return [
    ...limit('at least', schema.minimum),
    ...limit('at most', schema.maximum),
    ...(minLength === 1 ? ['not empty'] : limit('at least', minLength, ' characters')),
    ...limit('at most', schema.maxLength, ' characters'),
    ...limit('at most', schema.maxProperties, ' keys'),
    ...limit('at most', schema.maxItems),
    ...limit('keys of at most', keys?.maxLength, ' characters'),
    ...(keys?.pattern === undefined ? [] : [`keys that match ${keys.pattern}`]),
    ...limit('values of at most', values.maxLength, ' characters'),
    ...(schema.default === undefined ? [] : [`${JSON.stringify(schema.default)} when left out`]),
  ];
}

/** Returns one schema with the properties of its `allOf` parts and of all its kinds. */
function merge(schema: Schema, document: OpenApiDocument): Schema {
  const own = resolve(document, schema);
  const kinds = (own.oneOf ?? own.anyOf ?? []).map((kind) => merge(kind, document));
  const parts = (own.allOf ?? []).map((part) => merge(part, document));
  const joined = kinds.length > 0 ? [kinds.reduce(join)] : [];
  return [...parts, ...joined].reduce(
    (whole, { properties, required = [] }) => ({
      ...whole,
      properties: { ...properties, ...whole.properties },
      required: [...(whole.required ?? []), ...required],
    }),
    own,
  );
}

/** Joins two kinds of one object: their values, their objects, and each of their properties. */
function join(one: Schema, other: Schema): Schema {
  if (JSON.stringify(one) === JSON.stringify(other)) return one;
  if (nameOf(one) ?? nameOf(other) ?? one.oneOf) {
    return { oneOf: [...(one.oneOf ?? [one]), ...(other.oneOf ?? [other])] };
  }
  if (one.enum && other.enum) return { ...one, enum: [...one.enum, ...other.enum] };
  const properties = Object.entries({ ...other.properties, ...one.properties });
  if (properties.length === 0) return one;
  const joined = properties.map(([name, property]) => {
    const own = one.properties?.[name] ?? property;
    return [name, join(own, other.properties?.[name] ?? own)] as const;
  });
  return { ...one, properties: Object.fromEntries(joined) };
}

/** Splits a nullable schema, which is a choice of two kinds or of two types. */
function withoutNull(property: Schema, document: OpenApiDocument) {
  const kinds = property.oneOf ?? property.anyOf ?? [];
  const [only, ...more] = kinds.filter((kind) => kind.type !== 'null');
  if (only && more.length === 0 && kinds.length === 2) return { inner: only, isNullable: true };
  const schema = resolve(document, property);
  const types = [schema.type ?? []].flat();
  if (!types.includes('null')) return { inner: property, isNullable: false };
  return { inner: { ...schema, type: types.filter((name) => name !== 'null') }, isNullable: true };
}
