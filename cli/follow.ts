/** Reads a merchant's events in order, each exactly once. */
import { firstIdAt, timeOf } from '../domain/id.ts';
import type { EventListParams, EventSelector } from '../sdk/events.ts';
import type { List } from '../sdk/list.ts';
import type { Event } from '../sdk/objects.ts';
import type { Access } from './access.ts';
import type { Start } from './since.ts';

/** The overlap of reads: an event may be stored after another one with a later id. */
const OVERLAP_MS = 60_000;
const PAGE = 100;
/** The most ids on a line that people copy. */
const MAX_LISTED = 50;

interface FollowOptions {
  readonly client: Access['client'];
  /** Undefined reads events of all types. */
  readonly types: readonly EventSelector[] | undefined;
  readonly signal: AbortSignal;
  /** Returns milliseconds of a monotonic clock. */
  readonly clock: () => number;
}

export interface EventNotice {
  readonly id: string;
  readonly type: string;
}

/** Reads events and keeps its position. An event counts as read when the next is requested. */
export class Follower {
  readonly #options: FollowOptions;
  /** All events up to this one are read; undefined if there is no event that far back. */
  #anchor: string | undefined;
  /** Earlier events are skipped. */
  #floorMs = 0;
  /** The events that were read after the anchor, with the time of the read by our clock. */
  readonly #known = new Map<string, number>();
  /** The place before the first event that was refused, with the events accepted after it. */
  #held: { readonly after: string | undefined; readonly seen: string[] } | undefined;
  #refused: string | undefined;
  #last: string | undefined;

  constructor(options: FollowOptions) {
    this.#options = options;
  }

  /**
   * The position for another reader to continue from: `after`, up to which all events are read, and
   * `seen`, the events that were read after it. If `seen` would be too long, `after` is the newest
   * event, and an event that is stored late is lost. After `refuse`, the position is before the
   * refused event, and events may repeat instead.
   */
  get place(): { readonly after: string | undefined; readonly seen: readonly string[] } {
    if (this.#held) return { after: this.#held.after, seen: this.#held.seen.toSorted() };
    const { after, seen } = this.#position();
    return seen.length > MAX_LISTED ? { after: this.#last, seen: [] } : { after, seen };
  }

  /** Keeps the event that `round` has just yielded for another reader. */
  refuse(id: string): void {
    this.#refused = id;
    if (this.#held) return;
    const { after, seen } = this.#position();
    this.#held = { after, seen: seen.slice(0, MAX_LISTED) };
  }

  #position() {
    this.#moveAnchor();
    const after = this.#anchor;
    return { after, seen: [...this.#known.keys()].filter((id) => id !== after).toSorted() };
  }

  /** Finds the start. Skips the events after it that another reader has `seen`. */
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
    // If there is no event yet, all future events are new.
    if (!newest) return;
    this.#anchor = await this.#newestBefore(timeOf(newest.id) - OVERLAP_MS);
    for await (const { id } of this.#list()) this.#note(id);
    this.#note(newest.id);
  }

  /** Yields the new events since the last round, oldest first. */
  async *round(): AsyncGenerator<EventNotice, void, undefined> {
    for await (const event of this.#oldestFirst()) {
      if (this.#known.has(event.id) || timeOf(event.id) < this.#floorMs) continue;
      yield event;
      // Noted only now, because a reader that stopped at this event has not handled it.
      this.#note(event.id);
      const isListed = this.#held && this.#held.seen.length < MAX_LISTED;
      if (isListed && this.#refused !== event.id) this.#held?.seen.push(event.id);
    }
    this.#moveAnchor();
  }

  async *#oldestFirst(): AsyncGenerator<EventNotice, void, undefined> {
    // After a cursor, a list yields the oldest event first.
    if (this.#anchor !== undefined) return yield* this.#list();
    const all: EventNotice[] = [];
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
   * Moves the anchor to the last event that is a minute older than the newest one, or that was
   * read a minute ago by our clock.
   */
  #moveAnchor(): void {
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
