/** Watches the commands that a client sends to MongoDB. */
import type { CommandFailedEvent, CommandSucceededEvent, Document, MongoClient } from 'mongodb';
import { publish } from '../facts.ts';

export interface CommandWatch {
  /** Receives the name and the document of every command that is sent. */
  monitor?: (command: string, document: Document) => void;
  /** True if the duration of every command is published, for metrics. */
  isTimed?: boolean;
}

/** Errors that belong to normal work. */
const HARMLESS: ReadonlySet<unknown> = new Set([
  26, // NamespaceNotFound: the collection has no document yet.
  112, // WriteConflict: two transactions met, and one is repeated.
]);

/** Watches a client that was created with `monitorCommands`. */
export function watchCommands(client: MongoClient, { monitor, isTimed }: CommandWatch): void {
  if (monitor) client.on('commandStarted', (event) => monitor(event.commandName, event.command));
  if (!isTimed) return;
  client.on('commandSucceeded', publishEnd);
  client.on('commandFailed', publishEnd);
}

function publishEnd(event: CommandSucceededEvent | CommandFailedEvent): void {
  const failure = 'failure' in event ? (event.failure as { code?: unknown }) : null;
  const isFailed = failure !== null && !HARMLESS.has(failure.code);
  publish('command', { name: event.commandName, durationMs: event.duration, isFailed });
}
