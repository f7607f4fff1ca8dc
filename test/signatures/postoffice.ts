/** Deliveries by the activity itself to a real receiver, whose requests are kept as they came. */
import { ApplicationFailure } from '@temporalio/common';
import type { Endpoint, Overlap } from '../../domain/endpoint.ts';
import { EVENT_TYPES } from '../../domain/event.ts';
import type { Event, EventType } from '../../domain/event.ts';
import { rotateSecret } from '../../operations/change-endpoint.ts';
import { openDeliverGround } from '../activities/dispatch.ts';
import { ACTOR } from '../support/audit.ts';
import { makeDelivery, makeEvent, sealer } from '../support/rows/endpoint.ts';
import { inLanes } from '../support/lanes.ts';
import type { Genuine } from './mutations.ts';
import { TEXTS } from './texts.ts';
import type { Text } from './texts.ts';

/** Below the cap on requests to one receiver. */
const LANES = 10;
/** Rows that are inserted at a time: some are large, and the stand-in takes its time for them. */
const BATCH = 20;
/** Every so manieth delivery is refused the first time. */
const REFUSED = 3;
const MAX_TRIES = 6;
/** Deliveries of each step of a rotation. */
const PER_STEP = 10;

export interface Box {
  readonly endpoint: Endpoint;
  /** The newest secret, which signs everything. */
  secret: string;
}

/** What an endpoint was sent with the secrets that it had before, during and after a rotation. */
export interface Rotation {
  readonly overlap: string;
  readonly old: string;
  readonly fresh: string;
  readonly steps: Readonly<Record<'before' | 'during' | 'after', Genuine[]>>;
}

export type Post = Awaited<ReturnType<typeof openPost>>;

export async function openPost(file: string) {
  const ground = await openDeliverGround(file);
  const { mongo, receiver } = ground;
  const refused = new Set<string>();
  receiver.answer = (_, { headers }) => {
    const isFirst = headers['service-attempt'] === '1';
    return { status: isFirst && refused.has(String(headers['service-delivery'])) ? 503 : 200 };
  };

  const isDone = async (id: string): Promise<boolean> =>
    ground.deliver(id).then(
      () => true,
      (error: unknown) => {
        if (error instanceof ApplicationFailure) return false;
        throw error;
      },
    );

  return {
    async register(): Promise<Box> {
      const { endpoint, secret } = await ground.begin();
      return { endpoint, secret };
    },

    /** An event of each type with each text. */
    eventsFor(
      { endpoint: { m } }: Box,
      types: readonly EventType[],
      texts: readonly Text[],
    ): Event[] {
      return types.flatMap((type) => texts.map((text) => withText(makeEvent({ m, type }), text)));
    },

    /** Delivers the events, and answers every request that came of it. */
    async send({ endpoint, secret }: Box, events: Event[]): Promise<Genuine[]> {
      const { m, _id } = endpoint;
      const rows = events.map((event) =>
        makeDelivery({ m, endpoint_id: _id, event_id: event._id }),
      );
      for (let from = 0; from < rows.length; from += BATCH) {
        await mongo.events.insertMany(events.slice(from, from + BATCH));
        await mongo.deliveries.insertMany(rows.slice(from, from + BATCH));
      }
      const since = receiver.requests.length;
      await inLanes(rows, LANES, async ({ _id: id }, index) => {
        if (index % REFUSED === 0) refused.add(id);
        // On a busy machine an answer may come too late, or the receiver be busy: then once more.
        for (let tries = 1; !(await isDone(id)); tries += 1) {
          if (tries === MAX_TRIES) throw new Error(`${id} did not arrive.`);
          await ground.makeDue(id);
        }
      });
      return receiver.requests.slice(since).map(({ headers, raw }) => {
        return { headers: headers as Record<string, string>, raw, secret };
      });
    },

    async rotate(box: Box, overlap: Overlap): Promise<void> {
      const shown = await rotateSecret(
        { mongo, actor: ACTOR, sealer, opened: [] },
        { id: box.endpoint._id, overlap },
      );
      box.secret = String(shown['secret']);
    },

    /** As if the time of the overlap had gone by. */
    async endOverlap({ endpoint: { _id } }: Box): Promise<void> {
      const end = new Date(Date.now() - 1);
      await mongo.endpoints.updateOne(
        { _id, 'previous_secrets.0': { $exists: true } },
        { $set: { 'previous_secrets.0.expires_at': end } },
      );
    },

    close: async () => ground.close(),
  };
}

/** What comes of a rotation: a few deliveries of each step, the overlap's end not waited for. */
export async function rotated(post: Post, overlap: Overlap): Promise<Rotation> {
  const box = await post.register();
  const old = box.secret;
  const few = () => post.eventsFor(box, EVENT_TYPES.slice(0, PER_STEP), TEXTS.slice(0, 1));
  const before = await post.send(box, few());
  await post.rotate(box, overlap);
  const during = overlap === '0' ? [] : await post.send(box, few());
  await post.endOverlap(box);
  const after = await post.send(box, few());
  return { overlap, old, fresh: box.secret, steps: { before, during, after } };
}

function withText(event: Event, text: Text): Event {
  const body = JSON.parse(event.body) as { data: { object: object } };
  const data = { object: { ...body.data.object, ...text } };
  return { ...event, body: JSON.stringify({ ...body, data }) };
}
