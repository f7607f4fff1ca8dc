/** Objects of example events: the samples of the documentation, with new ids and times. */
import type { EventType } from './event.ts';
import { PREFIXES, isId } from './id.ts';
import type { IdKind } from './id.ts';
import { SAMPLE_OBJECTS } from './samples.ts';

const KINDS = Object.keys(PREFIXES) as IdKind[];
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const ORDER_CHARS = 8;
const DESCRIPTION = 'An example: nothing of this exists';

/**
 * Returns the object of an example event of that type at `now`. It is the sample of the
 * documentation with new ids, and with texts that mark it as an example.
 */
export function exampleObject(
  type: EventType,
  { now, mintId }: { readonly now: Date; readonly mintId: (kind: IdKind) => string },
): Record<string, unknown> & { id: string } {
  const sample = SAMPLE_OBJECTS[type];
  const shiftMs = now.getTime() - Date.parse(sample.updated_at);
  const renew = (_: string, value: unknown): unknown => {
    if (typeof value !== 'string') return value;
    if (TIME.test(value)) return new Date(Date.parse(value) + shiftMs).toISOString();
    const kind = KINDS.find((each) => isId(each, value));
    return kind === undefined ? value : mintId(kind);
  };
  const object = JSON.parse(JSON.stringify(sample), renew) as ReturnType<typeof exampleObject>;
  const order = `example-${object.id.slice(-ORDER_CHARS).toLowerCase()}`;
  return {
    ...object,
    description: DESCRIPTION,
    ...('order_id' in object ? { order_id: order } : {}),
    ...('metadata' in object ? { metadata: { tollgate_example: 'true' } } : {}),
  };
}
