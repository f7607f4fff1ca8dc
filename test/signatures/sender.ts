/** Sends deliveries by the activity to a real receiver, and keeps the requests that arrive. */
import { ApplicationFailure } from '@temporalio/common';
import type { Endpoint, Overlap } from '../../domain/endpoint.ts';
import { EVENT_TYPES } from '../../domain/event.ts';
import type { Event, EventType } from '../../domain/event.ts';
import { rotateSecret } from '../../operations/change-endpoint.ts';
import { openDeliverGround } from '../activities/dispatch.ts';
import { ACTOR } from '../support/audit.ts';
import { makeDelivery, makeEvent, sealer } from '../support/rows/endpoint.ts';
import { mapConcurrently } from '../support/concurrent.ts';
import type { GenuineRequest } from './mutations.ts';
import { TEXTS } from './texts.ts';
import type { Text } from './texts.ts';

/** Below the cap on requests to one receiver. */
const LANES = 10;
/** Rows to insert at a time: some are large, which makes the test database slow. */
const BATCH = 20;
/** The receiver refuses the first attempt of every third delivery. */
const REFUSED = 3;
const MAX_TRIES = 6;
/** The number of deliveries in each step of a rotation. */
const PER_STEP = 10;

export interface Target {
  readonly endpoint: Endpoint;
  /** The newest secret, which signs everything. */
  secret: string;
}

/** The requests to an endpoint before, during and after the rotation of its secret. */
export interface Rotation {
  readonly overlap: string;
  readonly old: string;
  readonly fresh: string;
  readonly steps: Readonly<Record<'before' | 'during' | 'after', GenuineRequest[]>>;
}

export type Sender = Awaited<ReturnType<typeof openSender>>;

export async function openSender(file: string) {
  const ground = await openDeliverGround(file);
  const { mongo, receiver } = ground;
  const refused = new Set<string>();
  receiver.respond = (_, { headers }) => {
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
    async register(): Promise<Target> {
      const { endpoint, secret } = await ground.begin();
      return { endpoint, secret };
    },

    /** Makes an event of each type with each text. */
    eventsFor(
      { endpoint: { m: tenant } }: Target,
      types: readonly EventType[],
      texts: readonly Text[],
    ): Event[] {
      return types.flatMap((type) =>
        texts.map((text) => withText(makeEvent({ m: tenant, type }), text)),
      );
    },

    /** Delivers the events, and returns the requests that arrived. */
    async send({ endpoint, secret }: Target, events: Event[]): Promise<GenuineRequest[]> {
      const { m: tenant, _id } = endpoint;
      const rows = events.map((event) =>
        makeDelivery({ m: tenant, endpoint_id: _id, event_id: event._id }),
      );
      for (let from = 0; from < rows.length; from += BATCH) {
        await mongo.events.insertMany(events.slice(from, from + BATCH));
        await mongo.deliveries.insertMany(rows.slice(from, from + BATCH));
      }
      const since = receiver.requests.length;
      await mapConcurrently(rows, LANES, async ({ _id: id }, index) => {
        if (index % REFUSED === 0) refused.add(id);
        // On a busy machine a response may be late, or the receiver busy.
        for (let tries = 1; !(await isDone(id)); tries += 1) {
          if (tries === MAX_TRIES) throw new Error(`${id} did not arrive.`);
          await ground.makeDue(id);
        }
      });
      return receiver.requests.slice(since).map(({ headers, raw }) => {
        return { headers: headers as Record<string, string>, raw, secret };
      });
    },

    async rotate(target: Target, overlap: Overlap): Promise<void> {
      const shown = await rotateSecret(
        { mongo, actor: ACTOR, sealer, opened: [] },
        { id: target.endpoint._id, overlap },
      );
      target.secret = String(shown['secret']);
    },

    /** Moves the end of the overlap into the past. */
    async endOverlap({ endpoint: { _id } }: Target): Promise<void> {
      const end = new Date(Date.now() - 1);
      await mongo.endpoints.updateOne(
        { _id, 'previous_secrets.0': { $exists: true } },
        { $set: { 'previous_secrets.0.expires_at': end } },
      );
    },

    close: async () => ground.close(),
  };
}

/** Rotates the secret of a new endpoint, with a few deliveries before, during and after. */
export async function rotated(sender: Sender, overlap: Overlap): Promise<Rotation> {
  const target = await sender.register();
  const old = target.secret;
  const few = () => sender.eventsFor(target, EVENT_TYPES.slice(0, PER_STEP), TEXTS.slice(0, 1));
  const before = await sender.send(target, few());
  await sender.rotate(target, overlap);
  const during = overlap === '0' ? [] : await sender.send(target, few());
  await sender.endOverlap(target);
  const after = await sender.send(target, few());
  return { overlap, old, fresh: target.secret, steps: { before, during, after } };
}

function withText(event: Event, text: Text): Event {
  const body = JSON.parse(event.body) as { data: { object: object } };
  const data = { object: { ...body.data.object, ...text } };
  return { ...event, body: JSON.stringify({ ...body, data }) };
}
