/** The parameters of calls: ids in paths, the query strings of lists, and the idempotency key. */
import { PREFIXES, idPattern } from '../../domain/id.ts';
import type { IdKind } from '../../domain/id.ts';
import { BOUNDS, DEFAULT_LIMIT, MAX_LIMIT } from '../query.ts';
import type { ListSpec } from '../query.ts';

/** Returns the name of an id in a path, such as `payment_id`. */
export const idName = (kind: IdKind): string =>
  kind === 'endpoint' ? 'webhook_endpoint_id' : `${kind}_id`;

export const pathParameter = (kind: IdKind) => ({
  name: idName(kind),
  in: 'path',
  required: true,
  description: `The id, as in \`${PREFIXES[kind]}...\`.`,
  schema: { type: 'string', pattern: idPattern(kind) },
});

export const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    "Your own name for this request, such as your order's reference: 1 to 255 visible ASCII characters, and no card number in groups. If you send the same request again, you get the same bytes as the first time, with `Idempotent-Replayed: true`. A different request with the same key is refused with 422. Errors are not stored, so after a 5xx or no response, retry with the same key. All your API keys share these keys, but test and live mode are separate.",
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
};

const query = (name: string, description: string, schema: object) => ({
  name,
  in: 'query',
  required: false,
  description,
  schema,
});

/** Returns all parameters of a list, as `parseListQuery` reads them. */
export function listParameters({ kind, filters }: ListSpec) {
  const cursor = { type: 'string', pattern: idPattern(kind) };
  const own = Object.entries(filters).map(([name, { description, schema }]) => ({
    ...query(name, description, schema),
    ...('items' in schema ? { style: 'form', explode: false } : {}),
    // An object with `explode` has a parameter for each of its members, and none of its own name.
    ...('propertyNames' in schema ? { name: 'metadata', style: 'form', explode: true } : {}),
  }));
  const bounds = Object.entries(BOUNDS).map(([operator, meaning]) =>
    query(
      `created_at[${operator}]`,
      `Only objects that were created ${meaning} this time (RFC 3339; write \`+\` as \`%2B\`).`,
      { type: 'string', format: 'date-time' },
    ),
  );
  return [
    ...own,
    ...bounds,
    query('limit', 'The maximum number of objects on the page.', {
      type: 'integer',
      minimum: 1,
      maximum: MAX_LIMIT,
      default: DEFAULT_LIMIT,
    }),
    query(
      'starting_after',
      'The id of the last object on the previous page. Returns objects that were created before it. Cannot be combined with `ending_before`.',
      cursor,
    ),
    query(
      'ending_before',
      'The id of the newest object you have. Returns the page of the next newer objects, newest first; `has_more` is true if there are still newer ones. Let your reads overlap by a minute, and skip the ids you know.',
      cursor,
    ),
  ];
}
