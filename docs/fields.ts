/** JSON Schemas as a reader wants them: a list of fields, each with what may stand in it. */
import { follow, nameOf } from './document.ts';
import type { OpenApiDocument, Schema } from './document.ts';
import { merged, withoutNull } from './schema.ts';

export interface Field {
  readonly name: string;
  /** In words, as in `string` or `array of objects`. */
  readonly type: string;
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  readonly description: string;
  /** Limits in words, as in `at most 255 characters`. */
  readonly limits: readonly string[];
  /** The values that are allowed, when there are several. */
  readonly values: readonly string[];
  /** The objects of the page that it can hold, which are shown at their own places. */
  readonly objectNames: readonly string[];
  readonly children: readonly Field[];
}

/** Objects inside of objects are shown so deep; none of ours is deeper. */
const MAX_DEPTH = 4;

interface Reading {
  readonly document: OpenApiDocument;
  /** Names of schemas that have their own place on the page. */
  readonly objects: readonly string[];
  readonly depth: number;
}

/** The fields of an object's schema. */
export function fieldsOf(
  document: OpenApiDocument,
  schema: Schema,
  objects: readonly string[],
): Field[] {
  return childrenOf(schema, { document, objects, depth: 0 });
}

function childrenOf(schema: Schema, reading: Reading): Field[] {
  if (reading.depth >= MAX_DEPTH) return [];
  const { properties = {}, required = [] } = merged(schema, reading.document);
  return Object.entries(properties).map(([name, property]) =>
    fieldOf(property, { name, isRequired: required.includes(name) }, reading),
  );
}

function fieldOf(
  property: Schema,
  { name, isRequired }: { name: string; isRequired: boolean },
  reading: Reading,
): Field {
  const { document, objects, depth } = reading;
  const { inner, isNullable } = withoutNull(property, document);
  const schema = follow(document, inner);
  const names = (inner.oneOf ?? [inner]).map((kind) => nameOf(kind) ?? '');
  const objectNames = names.filter((kind) => objects.includes(kind));
  const item = schema.items && follow(document, schema.items);
  return {
    name,
    type: typeOf(schema, item),
    isRequired,
    isNullable,
    description: property.description ?? schema.description ?? alwaysOf(schema),
    limits: limitsOf(schema),
    values: valuesOf(item ?? schema),
    objectNames,
    children:
      objectNames.length > 0 ? [] : childrenOf(item ?? schema, { ...reading, depth: depth + 1 }),
  };
}

const alwaysOf = ({ const: value }: Schema): string =>
  typeof value === 'string' ? `Always \`${value}\`.` : '';

const PLURALS: Readonly<Record<string, string>> = { string: 'strings', object: 'objects' };

function typeOf({ type, const: value, format }: Schema, item: Schema | undefined): string {
  const name = typeof type === 'string' ? type : (type ?? []).join(' or ');
  const inner = item && typeOf(item, undefined);
  if (name === 'array') return inner ? `array of ${PLURALS[inner] ?? inner}` : 'array';
  if (name === '' && value !== undefined) return typeof value;
  if (format === 'date-time') return 'time';
  return name === '' ? 'object' : name;
}

const number = (value: number): string => value.toLocaleString('en');

function limitsOf(schema: Schema): string[] {
  const { minimum, maximum, minLength, maxLength, maxProperties, maxItems } = schema;
  const said: (string | false)[] = [
    minimum !== undefined && `at least ${number(minimum)}`,
    maximum !== undefined && `at most ${number(maximum)}`,
    minLength !== undefined && minLength > 1 && `at least ${number(minLength)} characters`,
    minLength === 1 && 'not empty',
    maxLength !== undefined && `at most ${number(maxLength)} characters`,
    maxProperties !== undefined && `at most ${number(maxProperties)} keys`,
    maxItems !== undefined && `at most ${number(maxItems)}`,
    ...limitsOfMembers(schema),
    schema.default !== undefined && `${JSON.stringify(schema.default)} when left out`,
  ];
  return said.filter((text) => text !== false);
}

/** Of an object with keys of the merchant's own: what these may be, and their values. */
function limitsOfMembers({ propertyNames, additionalProperties }: Schema): (string | false)[] {
  const { maxLength, pattern } = propertyNames ?? {};
  const values = typeof additionalProperties === 'object' ? additionalProperties : {};
  return [
    maxLength !== undefined && `keys of at most ${number(maxLength)} characters`,
    pattern !== undefined && `keys that match ${pattern}`,
    values.maxLength !== undefined && `values of at most ${number(values.maxLength)} characters`,
  ];
}

function valuesOf({ enum: values = [] }: Schema): string[] {
  return values.filter((value) => value !== null).map(String);
}
