/** Made-up objects for trying a receiver out: nothing in the API has their ids. */
import type { EventType } from '../domain/event.ts';
import { PREFIXES, isId } from '../domain/id.ts';
import type { IdKind } from '../domain/id.ts';
import { SAMPLE_OBJECTS } from '../domain/samples.ts';
import { mintId } from '../store/mint.ts';

type ExampleObject = Record<string, unknown> & { id: string };

const KINDS = Object.keys(PREFIXES) as IdKind[];
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const ORDER_CHARS = 8;
const TEXT = 'An example: nothing of this exists';

/**
 * The object of an event of that type which happens at `now`: the sample's, with ids of its own,
 * which no shop finds anywhere, and with words that say so to whoever reads its records.
 */
export function exampleObject(type: EventType, now = new Date()): ExampleObject {
  const sample = SAMPLE_OBJECTS[type];
  const shiftMs = now.getTime() - Date.parse(sample.updated_at);
  const renew = (_: string, value: unknown): unknown => {
    if (typeof value !== 'string') return value;
    if (TIME.test(value)) return new Date(Date.parse(value) + shiftMs).toISOString();
    const kind = KINDS.find((each) => isId(each, value));
    return kind === undefined ? value : mintId(kind);
  };
  const object = JSON.parse(JSON.stringify(sample), renew) as ExampleObject;
  const order = `example-${object.id.slice(-ORDER_CHARS).toLowerCase()}`;
  return {
    ...object,
    description: TEXT,
    ...('order_id' in object ? { order_id: order } : {}),
    ...('metadata' in object ? { metadata: { tollgate_example: 'true' } } : {}),
  };
}
