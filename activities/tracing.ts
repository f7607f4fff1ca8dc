/** The spans of activities and of workflow runs, for the workers. */
import type { Context } from '@temporalio/activity';
import {
  ApplicationFailure,
  ApplicationFailureCategory,
  defaultPayloadConverter,
} from '@temporalio/common';
import type { Headers } from '@temporalio/common';
import { composeTrace, partsOf } from '../domain/trace.ts';
import type { Trace } from '../domain/trace.ts';
import { inPlace } from '../tracing/current.ts';
import { idAttribute, inSpan, isRecording, startSpan } from '../tracing/span.ts';
import { TRACE_HEADER } from '../workflows/messages.ts';

interface ActivityInput {
  readonly args: unknown[];
  readonly headers: Headers;
}

/** Runs an activity in the trace of what started it. */
export const traceActivities = ({ info }: Context) => ({
  inbound: {
    async execute<Input extends ActivityInput>(
      input: Input,
      next: (input: Input) => Promise<unknown>,
    ): Promise<unknown> {
      const payload = input.headers[TRACE_HEADER];
      if (!payload) return next(input);
      const trace = defaultPayloadConverter.fromPayload<Trace>(payload);
      const runId = info.workflowExecution?.runId;
      const parent = runId !== undefined && isRecording() ? traceOfRun(trace, runId) : trace;
      const id = info.workflowExecution?.workflowId ?? info.activityId;
      const span = {
        name: `RunActivity:${info.activityType}`,
        kind: 'consumer',
        attributes: { 'temporal.id': id, ...idAttribute(id) },
        isFailure: (error: unknown) => !isBenign(error),
      } as const;
      return inPlace({ trace: parent }, async () => inSpan(span, async () => next(input)));
    },
  },
});

/** Returns whether an activity only asks to be run again later. */
function isBenign(error: unknown): boolean {
  return (
    error instanceof ApplicationFailure && error.category === ApplicationFailureCategory.BENIGN
  );
}

/**
 * Returns the place of a workflow's run. Its span is recorded at its end, maybe by another worker,
 * so the span's id is a part of the run's id. The first digits of run ids are times, not random.
 */
function traceOfRun(trace: Trace, runId: string): Trace {
  const spanId = runId.replaceAll('-', '').slice(-16);
  return composeTrace({ ...partsOf(trace), spanId }, trace.tracestate);
}

interface RunInfo {
  readonly workflowType: string;
  readonly workflowId: string;
  readonly runId: string;
  readonly startTime: Date;
}

/** Records the span of a workflow's run when it has ended. Replays do not record it again. */
export const traceRuns = {
  tracing: {
    ended: {
      fn(info: RunInfo, trace: Trace, failure: string | null): void {
        const { workflowType, workflowId: id, startTime: startedAt } = info;
        const { spanId } = partsOf(traceOfRun(trace, info.runId));
        const attributes = { 'temporal.id': id, ...idAttribute(id) };
        const name = `RunWorkflow:${workflowType}`;
        const span = { name, kind: 'consumer', attributes, startedAt, spanId } as const;
        startSpan(span, { trace })?.end({}, failure ?? undefined);
      },
      callDuringReplay: false,
    },
  },
};
