/**
 * Registers what Temporal needs for our calls: the namespace, the search attributes and the
 * schedule of the sweep. Every step may be repeated at any time.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  NamespaceNotFoundError,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
  WorkflowNotFoundError,
} from '@temporalio/client';
import type { Client, ScheduleDescription, ScheduleOptions } from '@temporalio/client';
import type { Log } from '../log.ts';
import { PAYMENTS_QUEUE, SWEEP_SCHEDULE_ID, SWEEP_WORKFLOW } from '../workflows/messages.ts';
import { ATTRIBUTES } from './attributes.ts';
import { NOT_FOUND } from './limits.ts';

/** The types of search attributes, by the numbers of Temporal's own enumeration. */
const TYPE_NUMBERS: Readonly<Record<string, number>> = { KEYWORD: 2, INT: 3 };

/** The time for which a namespace that we register keeps finished workflows (7 days). */
const RETENTION_SECONDS = 7 * 24 * 60 * 60;
/** The time limit of a read. Reads usually take milliseconds. */
const READ_MS = 3_000;
/** The time after which a new registration is known everywhere. */
const SETTLE_MS = 10_000;
const NAMESPACE_POLL_MS = 100;
/** The age after which a scheduled round that Temporal missed is skipped. */
const SWEEP_CATCHUP_MS = 60_000;
const SWEEP_TIMEOUT_MS = 5 * 60 * 1000;

/**
 * Registers the search attributes that the namespace lacks. Returns whether they can be used.
 * Throws if Temporal does not reply.
 */
export async function ensureAttributes(client: Client, name: string, log: Log): Promise<boolean> {
  const { operatorService } = client.connection as { operatorService?: OperatorService };
  if (!operatorService) return true;
  try {
    const missing = await missingAttributes(client, name);
    if (missing.length === 0) return true;
    const wanted = ATTRIBUTES.filter(({ name: key }) => missing.includes(key));
    const searchAttributes = Object.fromEntries(
      wanted.map(({ name: key, type }) => [key, TYPE_NUMBERS[type] ?? 0]),
    );
    await withDeadline(client, SETTLE_MS, async () =>
      operatorService.addSearchAttributes({ namespace: name, searchAttributes }),
    );
    return true;
  } catch (error) {
    if (!isCode(error, PERMISSION_DENIED, UNIMPLEMENTED)) throw error;
    log.warn('search attributes cannot be registered; workflows run without them');
    return false;
  }
}

/** Returns the names of the search attributes that the namespace lacks. Throws as Temporal does. */
export async function missingAttributes(client: Client, name: string): Promise<readonly string[]> {
  const { operatorService } = client.connection as { operatorService?: OperatorService };
  if (!operatorService) return [];
  const known = await withDeadline(client, READ_MS, async () =>
    operatorService.listSearchAttributes({ namespace: name }),
  );
  return ATTRIBUTES.map(({ name: key }) => key).filter((key) => !known.customAttributes?.[key]);
}

interface OperatorService {
  listSearchAttributes(request: { namespace: string }): Promise<{
    customAttributes?: Record<string, unknown> | null;
  }>;
  addSearchAttributes(request: {
    namespace: string;
    searchAttributes: Record<string, number>;
  }): Promise<unknown>;
}

/**
 * Registers the namespace if it is missing, and requires Standalone Activities of the server.
 * Returns the namespace's own id, which changes if Temporal has lost it meanwhile. Throws if
 * Temporal does not reply or is too old.
 */
export async function ensureNamespace(client: Client, name: string): Promise<string> {
  const service = client.workflowService;
  const describe = async () =>
    withDeadline(client, READ_MS, async () => service.describeNamespace({ namespace: name }));
  const found = await describe().catch(async (error: unknown) => {
    if (!isCode(error, NOT_FOUND)) throw error;
    await registerNamespace(client, name);
    return describe();
  });
  // Waits in any case, because another process may have registered it a moment ago.
  await untilKnown(client);
  if (found.namespaceInfo?.capabilities?.standaloneActivities !== true) {
    throw new Error(
      'This Temporal server has no Standalone Activities, which deliver the webhooks: ' +
        'use server 1.32 or newer, or switch them on in 1.31.',
    );
  }
  return found.namespaceInfo.id ?? '';
}

async function registerNamespace(client: Client, name: string): Promise<void> {
  try {
    await withDeadline(client, SETTLE_MS, async () =>
      client.workflowService.registerNamespace({
        namespace: name,
        workflowExecutionRetentionPeriod: { seconds: RETENTION_SECONDS as never },
      }),
    );
  } catch (error) {
    // Server and worker boot at the same time, and one of them was first.
    if (!isCode(error, ALREADY_EXISTS)) throw error;
  }
}

/**
 * Waits until calls of a namespace that was just registered are accepted. Looks up a workflow,
 * because that uses the same cache as a start. Describing the namespace would read the database
 * instead.
 */
async function untilKnown(client: Client): Promise<void> {
  const end = Date.now() + SETTLE_MS;
  const sweep = client.workflow.getHandle(SWEEP_SCHEDULE_ID);
  for (;;) {
    try {
      await withDeadline(client, READ_MS, async () => sweep.describe());
      return;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return;
      if (!(error instanceof NamespaceNotFoundError) || Date.now() > end) throw error;
    }
    await new Promise((resolve) => {
      setTimeout(resolve, NAMESPACE_POLL_MS);
    });
  }
}

interface SweepSchedule {
  everySeconds: number;
  idPrefix?: string;
  queueSuffix?: string;
}

/**
 * Schedules the sweep. Updates a schedule if its definition differs. A schedule that an operator
 * paused stays paused.
 */
export async function ensureSweep(client: Client, options: SweepSchedule): Promise<void> {
  const { idPrefix = '' } = options;
  const scheduleId = idPrefix + SWEEP_SCHEDULE_ID;
  const wanted = sweepSchedule(options);
  const handle = client.schedule.getHandle(scheduleId);
  try {
    const found = await handle.describe();
    if (!isDefinedAs(found, wanted)) await handle.update(({ state }) => ({ ...wanted, state }));
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
    await client.schedule.create({ scheduleId, ...wanted }).catch((fault: unknown) => {
      // Another worker booted at the same time and was first.
      if (!(fault instanceof ScheduleAlreadyRunning)) throw fault;
    });
  }
}

function sweepSchedule({ everySeconds, idPrefix = '', queueSuffix = '' }: SweepSchedule) {
  return {
    spec: { intervals: [{ every: everySeconds * 1000, offset: 0 }] },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: SWEEP_CATCHUP_MS },
    action: {
      type: 'startWorkflow',
      workflowType: SWEEP_WORKFLOW,
      workflowId: idPrefix + SWEEP_SCHEDULE_ID,
      taskQueue: PAYMENTS_QUEUE + queueSuffix,
      args: [],
      staticSummary: 'Resumes what is overdue',
      workflowExecutionTimeout: SWEEP_TIMEOUT_MS,
    },
  } satisfies Omit<ScheduleOptions, 'scheduleId'>;
}

/** Returns whether a schedule has our definition. Ignores the defaults that Temporal adds. */
function isDefinedAs(
  found: ScheduleDescription,
  wanted: ReturnType<typeof sweepSchedule>,
): boolean {
  return (['spec', 'policies', 'action'] as const).every((part) =>
    Object.entries(wanted[part]).every(([name, value]) =>
      isDeepStrictEqual(Reflect.get(found[part], name), value),
    ),
  );
}

/** Makes calls with a deadline on our side, which ends them even if the server hangs. */
async function withDeadline<T>(client: Client, ms: number, calls: () => Promise<T>): Promise<T> {
  return client.connection.withDeadline(Date.now() + ms, calls);
}

const ALREADY_EXISTS = 6;
const PERMISSION_DENIED = 7;
const UNIMPLEMENTED = 12;

function isCode(error: unknown, ...codes: number[]): boolean {
  return codes.includes((error as { code?: number }).code ?? -1);
}
