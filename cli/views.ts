/** The results of commands for people: lists as tables, and one delivery with its attempts. */
import type { AuditEntry } from '../domain/audit.ts';
import type { Delivery } from '../domain/delivery.ts';
import { count, paint, printable, relative, table, toLines } from './output.ts';
import type { Cell, Colour } from './output.ts';

type Row = Readonly<Record<string, unknown>>;
interface Page {
  readonly has_more: boolean;
}

const COLOURS: Readonly<Record<string, Colour>> = {
  succeeded: 'green',
  enabled: 'green',
  active: 'green',
  running: 'yellow',
  pending: 'yellow',
  failed: 'red',
  disabled: 'red',
  revoked: 'red',
};
const word = (value: unknown): string => {
  const isPlain = typeof value === 'string' || typeof value === 'number';
  return isPlain ? String(value) : '-';
};
const state = (name: unknown): Cell => {
  const text = word(name);
  return [text, COLOURS[text] ?? 'dim'];
};

/** Returns the table, or that there is nothing. Adds how to read the next page. */
function list(noun: string, heads: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return rows.length === 0 ? `No ${noun}.` : table(heads, rows);
}

function withMore(
  text: string,
  rows: readonly { readonly id?: unknown }[],
  { has_more }: Page,
): string {
  return has_more ? `${text}\n\nMore with --starting-after ${word(rows.at(-1)?.id)}` : text;
}

type Deliveries = Page & { readonly deliveries: readonly Row[] };
type OneDelivery = Row & Pick<Delivery, 'attempts'> & { readonly body: string | null };

const isOne = (result: Deliveries | OneDelivery): result is OneDelivery => 'attempts' in result;

/** Returns the deliveries of an endpoint, or one with its attempts. */
export function viewDeliveries(
  result: Deliveries | OneDelivery,
  { body = false }: { body?: boolean },
): string {
  if (isOne(result)) return viewDelivery(result, body);
  const rows = result.deliveries;
  const heads = ['STATE', 'TYPE', 'TRIES', 'LAST', 'NEXT', 'CREATED', 'ID'];
  const cells = rows.map((row) => [
    state(row['state']),
    word(row['event_type']),
    word(row['attempts_count']),
    word(row['last_status'] ?? row['last_error']),
    relative(row['next_attempt_at']),
    relative(row['created_at']),
    word(row['id']),
  ]);
  return withMore(list('deliveries', heads, cells), rows, result);
}

function viewDelivery({ attempts, body, ...row }: OneDelivery, withBodies: boolean): string {
  const facts = {
    state: row['state'],
    event: `${word(row['event_id'])}  ${word(row['event_type'])}`,
    endpoint: row['endpoint_id'],
    trigger: row['trigger'],
    created: relative(row['created_at']),
    next: relative(row['next_attempt_at']),
  };
  const cells = attempts.map((each): Cell[] => [
    String(each.number),
    relative(each.at),
    each.error === null ? [word(each.status), 'green'] : [word(each.status ?? each.error), 'red'],
    `${each.duration_ms} ms`,
    each.request?.url ?? '-',
  ]);
  const tried = list('attempts yet', ['TRY', 'AT', 'RESPONSE', 'TIME', 'URL'], cells);
  const bodies = withBodies
    ? [
        `Sent body:\n${printable(body ?? '-')}`,
        ...attempts.map(({ number, response }) => {
          return `Response to attempt ${number}:\n${printable(response?.body ?? '-')}`;
        }),
      ]
    : ['The bodies are shown with --body, and the headers with --json.'];
  return [`${paint(word(row['id']), 'bold')}\n${toLines(facts)}`, tried, ...bodies].join('\n\n');
}

/** Returns a merchant's endpoints, with the number of deliveries that were not accepted. */
export function viewEndpoints({ endpoints }: { readonly endpoints: readonly Row[] }): string {
  const cells = endpoints.map((row): Cell[] => {
    const { counted_to: most, ...counts } = row['deliveries'] as Record<string, number>;
    const open = Object.entries(counts).filter(([, number]) => number > 0);
    const texts = open.map(([name, number]) => `${number}${number === most ? '+' : ''} ${name}`);
    const health = row['health'] as Row;
    return [
      state(row['status']),
      word(row['url']),
      (row['enabled_events'] as string[]).join(','),
      texts.join(', ') || '-',
      relative(health['last_success_at']),
      word(row['id']),
    ];
  });
  const heads = ['STATUS', 'URL', 'EVENTS', 'NOT ACCEPTED', 'LAST SUCCESS', 'ID'];
  return list('endpoints', heads, cells);
}

/** Returns a merchant's keys. */
export function viewKeys({ keys }: { readonly keys: readonly Row[] }): string {
  const cells = keys.map((row): Cell[] => {
    const ends = row['expires_at'] as Date | null;
    const isOver = ends !== null && ends.getTime() <= Date.now();
    const status = row['revoked_at'] !== null ? 'revoked' : isOver ? 'expired' : 'active';
    return [
      state(status),
      word(row['mode']),
      `...${word(row['last4'])}`,
      word(row['name']),
      relative(row['created_at']),
      relative(row['last_used_at']),
      relative(row['revoked_at'] ?? ends),
      word(row['id']),
    ];
  });
  return list('keys', ['STATE', 'MODE', 'KEY', 'NAME', 'CREATED', 'USED', 'ENDS', 'ID'], cells);
}

/** Returns a merchant's users. */
export function viewUsers({ users }: { readonly users: readonly Row[] }): string {
  const cells = users.map((row) => [
    word(row['email']),
    word(row['role']),
    row['second_step'] ? 'yes' : 'no',
    relative(row['created_at']),
    word(row['id']),
  ]);
  return list('users', ['EMAIL', 'ROLE', 'SECOND STEP', 'CREATED', 'ID'], cells);
}

type Entry = Omit<AuditEntry, '_id'> & { readonly id: string };

/** Returns who did what, with the names of the fields that changed. */
export function viewAudit(result: Page & { readonly entries: readonly Entry[] }): string {
  const { entries } = result;
  const cells = entries.map(({ at, actor, action, object, before, after }) => [
    relative(at),
    actor.type === 'system' ? 'the service' : actor.name,
    action,
    object.id,
    [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].join(', ') || '-',
  ]);
  const text = list('entries', ['WHEN', 'WHO', 'ACTION', 'OBJECT', 'FIELDS'], cells);
  return withMore(text, entries, result);
}

/** Returns what is sent again. A group of nothing has no id. */
export function viewSent(sent: Row): string {
  const { id, ...counted } = sent;
  return id === null ? `Nothing to send.\n${toLines(counted)}` : toLines(sent);
}

/** Returns an endpoint's replays. */
export function viewReplays({ replays }: { readonly replays: readonly Row[] }): string {
  const cells = replays.map((row) => [
    state(row['status']),
    `${word(row['sent'])} of ${count(Number(row['total']), 'event')}`,
    relative(row['created_at']),
    word(row['id']),
  ]);
  return list('replays', ['STATE', 'SENT', 'CREATED', 'ID'], cells);
}
