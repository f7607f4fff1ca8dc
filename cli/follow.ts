/** Reading a merchant's events forward, each of them once and none left out. */
import { firstIdAt, timeOf } from '../domain/id.ts';
import type { EventListParams, EventSelector } from '../sdk/events.ts';
import type { List } from '../sdk/list.ts';
import type { Event } from '../sdk/objects.ts';
import type { Access } from './access.ts';
import type { Start } from './since.ts';

/** Ids of two processes sort by the millisecond only, so a reader overlaps by a minute. */
const OVERLAP_MS = 60_000;
const PAGE = 100;
/** As many fit on a line that people copy. */
const MAX_LISTED = 50;

export interface FollowOptions {
  readonly client: Access['client'];
  /** Undefined reads all. */
  readonly types: readonly EventSelector[] | undefined;
  readonly signal: AbortSignal;
  /** Milliseconds that only grow. */
  readonly clock: () => number;
}

export interface Noticed {
  readonly id: string;
  readonly type: string;
}

/** A reader that remembers how far it came; an event counts as read when the next is asked for. */
export class Follower {
  readonly #options: FollowOptions;
  /** Everything up to this event is read; undefined while there is no event that far back. */
  #anchor: string | undefined;
  /** Events from before this time are none of ours. */
  #floorMs = 0;
  /** What was read after the anchor, each with when we first saw it by our own clock. */
  readonly #known = new Map<string, number>();
  #last: string | undefined;

  constructor(options: FollowOptions) {
    this.#options = options;
  }

  /**
   * Where another reader goes on: an event up to which all is read, undefined while there is none,
   * and what was read behind it. Where that is too much to list, it is the newest event alone: one
   * that is stored late then falls between two readers.
   */
  get place(): { readonly after: string | undefined; readonly seen: readonly string[] } {
    this.#moveOn();
    const after = this.#anchor;
    const seen = [...this.#known.keys()].filter((id) => id !== after).toSorted();
    return seen.length > MAX_LISTED ? { after: this.#last, seen: [] } : { after, seen };
  }

  /** Finds the place to begin at; what another reader has `seen` behind it is passed over. */
  async begin(start: Start, seen: readonly string[] = []): Promise<void> {
    await this.#find(start);
    for (const id of seen) this.#note(id);
  }

  async #find(start: Start): Promise<void> {
    if (start.kind === 'event') {
      this.#anchor = start.id;
      this.#last = start.id;
      return;
    }
    if (start.kind === 'time') {
      this.#floorMs = start.atMs;
      this.#anchor = await this.#newestBefore(start.atMs);
      this.#last = this.#anchor;
      return;
    }
    const { client, signal } = this.#options;
    const [newest] = (await client.events.list({ limit: 1 }, { signal })).data;
    // Without any event yet, all that will ever come is new.
    if (!newest) return;
    this.#anchor = await this.#newestBefore(timeOf(newest.id) - OVERLAP_MS);
    for await (const { id } of this.#list()) this.#note(id);
    this.#note(newest.id);
  }

  /** The events that are new since the last round, oldest first. */
  async *round(): AsyncGenerator<Noticed, void, undefined> {
    for await (const event of this.#oldestFirst()) {
      if (this.#known.has(event.id) || timeOf(event.id) < this.#floorMs) continue;
      yield event;
      // Only now: a reader that stopped at it has not done with it.
      this.#note(event.id);
    }
    this.#moveOn();
  }

  async *#oldestFirst(): AsyncGenerator<Noticed, void, undefined> {
    // A list that is read from a cursor on comes oldest first.
    if (this.#anchor !== undefined) return yield* this.#list();
    const all: Noticed[] = [];
    for await (const { id, type } of this.#list()) all.push({ id, type });
    yield* all.toReversed();
  }

  #list(): List<Event> {
    const { client, types, signal } = this.#options;
    const from: EventListParams = this.#anchor
      ? { ending_before: this.#anchor }
      : { created_at: this.#floorMs > 0 ? { gte: new Date(this.#floorMs) } : undefined };
    return client.events.list({ ...from, type: types, limit: PAGE }, { signal });
  }

  async #newestBefore(timeMs: number): Promise<string | undefined> {
    const { client, signal } = this.#options;
    const params = { created_at: { lt: new Date(timeMs) }, limit: 1 };
    return (await client.events.list(params, { signal })).data[0]?.id;
  }

  #note(id: string): void {
    this.#known.set(id, this.#options.clock());
    if (this.#last === undefined || id > this.#last) this.#last = id;
  }

  /**
   * The anchor follows a minute behind: a minute of the events' own clock, which is at once behind
   * when much is caught up on, or a minute of ours, for when nothing more happens.
   */
  #moveOn(): void {
    if (this.#last === undefined) return;
    const settled = firstIdAt('event', timeOf(this.#last) - OVERLAP_MS);
    const seenBefore = this.#options.clock() - OVERLAP_MS;
    for (const [id, seen] of this.#known) {
      const isBehind = id < settled || seen < seenBefore;
      if (isBehind && (this.#anchor === undefined || id > this.#anchor)) this.#anchor = id;
    }
    const anchor = this.#anchor ?? '';
    for (const id of this.#known.keys()) if (id < anchor) this.#known.delete(id);
  }
}
