/** The trace of each call to Temporal, and of the workflow or activity that it starts. */
import type { ClientInterceptors } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import type { Headers } from '@temporalio/common';
import { currentTrace } from '../tracing/current.ts';
import { idAttribute, inSpan } from '../tracing/span.ts';
import type { SpanOptions } from '../tracing/span.ts';
import { TRACE_HEADER } from '../workflows/messages.ts';

/** Named as Temporal's own OpenTelemetry package names its spans. */
const spanOf = (call: string, id: string): SpanOptions => ({
  name: call,
  kind: 'producer',
  attributes: { 'temporal.id': id, ...idAttribute(id) },
});

/** Returns the headers with the current trace. */
function withTrace(headers: Headers): Headers {
  const trace = currentTrace();
  return trace ? { ...headers, [TRACE_HEADER]: defaultPayloadConverter.toPayload(trace) } : headers;
}

/** Makes a span of every start, signal and update. Puts the trace into the header of the start. */
export const TRACING: ClientInterceptors = {
  workflow: [
    {
      startWithDetails: async (input, next) => {
        const { workflowType, headers, options } = input;
        return inSpan(spanOf(`StartWorkflow:${workflowType}`, options.workflowId), async () =>
          next({ ...input, headers: withTrace(headers) }),
        );
      },
      signalWithStart: async (input, next) => {
        const { signalName, headers, options } = input;
        return inSpan(
          spanOf(`SignalWithStartWorkflow:${signalName}`, options.workflowId),
          async () => next({ ...input, headers: withTrace(headers) }),
        );
      },
      startUpdateWithStart: async (input, next) => {
        const { updateName, workflowStartHeaders, workflowStartOptions } = input;
        const { workflowId } = workflowStartOptions;
        return inSpan(spanOf(`UpdateWithStartWorkflow:${updateName}`, workflowId), async () =>
          next({ ...input, workflowStartHeaders: withTrace(workflowStartHeaders) }),
        );
      },
    },
  ],
  activity: [
    {
      start: async (input, next) => {
        const { activityType, headers, options } = input;
        return inSpan(spanOf(`StartActivity:${activityType}`, options.id), async () =>
          next({ ...input, headers: withTrace(headers) }),
        );
      },
    },
  ],
};
