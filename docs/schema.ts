/** A schema made of others as one that can be read off: joined, of one kind, without its null. */
import { follow, nameOf } from './document.ts';
import type { OpenApiDocument, Schema } from './document.ts';

const isNull = (schema: Schema): boolean => schema.type === 'null';

/** The schema with what its `allOf` adds, and with what its kinds have, joined where they differ. */
export function merged(schema: Schema, document: OpenApiDocument): Schema {
  const own = follow(document, schema);
  const kinds = (own.oneOf ?? own.anyOf ?? []).map((kind) => merged(kind, document));
  const parts = (own.allOf ?? []).map((part) => merged(part, document));
  const joined = kinds.length > 0 ? kinds.reduce(join) : {};
  return [...parts, joined].reduce<Schema>(
    (whole, { properties, required = [] }) => ({
      ...whole,
      properties: { ...properties, ...whole.properties },
      required: [...(whole.required ?? []), ...required],
    }),
    own,
  );
}

/** Two kinds as one: the values of both, the objects of both, and so on for each property. */
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

/** What it is when it is not null; both ways of saying that are in use. */
export function withoutNull(
  property: Schema,
  document: OpenApiDocument,
): { inner: Schema; isNullable: boolean } {
  const kinds = property.oneOf ?? property.anyOf;
  const others = kinds?.filter((kind) => !isNull(kind)) ?? [];
  const [only] = others;
  if (kinds && only && others.length === 1 && kinds.length === 2) {
    return { inner: only, isNullable: true };
  }
  const { type } = follow(document, property);
  const types = typeof type === 'string' ? [type] : (type ?? []);
  if (!types.includes('null')) return { inner: property, isNullable: false };
  const inner = { ...follow(document, property), type: types.filter((name) => name !== 'null') };
  return { inner, isNullable: true };
}
