/** Parameters, as the document has them: of paths, of lists, and the idempotency key. */
import { PREFIXES, idPattern } from '../../domain/id.ts';
import type { IdKind } from '../../domain/id.ts';
import { BOUNDS, DEFAULT_LIMIT, MAX_LIMIT } from '../query.ts';
import type { ListSpec } from '../query.ts';

/** What ids are called in paths, where it is not their kind. */
const ID_NAMES: Partial<Record<IdKind, string>> = { endpoint: 'webhook_endpoint_id' };

/** The name of an id in a path: `payment_id`. */
export const idName = (kind: IdKind): string => ID_NAMES[kind] ?? `${kind}_id`;

/** The id in the path. */
export function pathParameter(kind: IdKind) {
  return {
    name: idName(kind),
    in: 'path',
    required: true,
    description: `The id, as in \`${PREFIXES[kind]}...\`.`,
    schema: { type: 'string', pattern: idPattern(kind) },
  };
}

export const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    "A name of your own for this wish, such as your order's reference: 1 to 255 visible ASCII characters, and no card number in groups. The same request again gets the first answer's very bytes, with `Idempotent-Replayed: true`; another request under the same key is refused with 422. Refusals and faults keep nothing, so after a 5xx or no answer at all, try again with the same key. Keys are your own, whichever of your API keys you use, and test and live mode do not share them.",
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
};

const query = (name: string, description: string, schema: object) => ({
  name,
  in: 'query',
  required: false,
  description,
  schema,
});

/** All parameters of a list, as the one who reads the query string takes them. */
export function listParameters({ kind, filters }: ListSpec) {
  const cursor = { type: 'string', pattern: idPattern(kind) };
  const own = Object.entries(filters).map(([name, { description, schema }]) => ({
    ...query(name, description, schema),
    ...('items' in schema ? { style: 'form', explode: false } : {}),
  }));
  const bounds = Object.entries(BOUNDS).map(([operator, meaning]) =>
    query(
      `created_at[${operator}]`,
      `Only what was created ${meaning} this time (RFC 3339; write \`+\` as \`%2B\`).`,
      { type: 'string', format: 'date-time' },
    ),
  );
  return [
    ...own,
    ...bounds,
    query('limit', 'How many objects a page has at most.', {
      type: 'integer',
      minimum: 1,
      maximum: MAX_LIMIT,
      default: DEFAULT_LIMIT,
    }),
    query(
      'starting_after',
      'The id of the last object of the page before: answers those created before it. Not together with `ending_before`.',
      cursor,
    ),
    query(
      'ending_before',
      'The id of the newest object you have: answers the page just newer than it, newest first; `has_more` then speaks of still newer ones. Read on with an overlap of a minute, and drop the ids you know.',
      cursor,
    ),
  ];
}
