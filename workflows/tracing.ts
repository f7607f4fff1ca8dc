/**
 * Passes the trace of a workflow's start on to its activities and its next run. Workers load it
 * beside the workflows. It adds no command and uses no randomness, so every history fits it.
 */
import { ContinueAsNew, defaultPayloadConverter, proxySinks } from '@temporalio/workflow';
import type { Sinks, WorkflowInterceptors } from '@temporalio/workflow';
import type { Trace } from '../domain/trace.ts';
import { TRACE_HEADER } from './messages.ts';

/** The end of a run, for its span. It is not reported again by a replay. */
export interface TraceSinks extends Sinks {
  tracing: { ended(trace: Trace, failure: string | null): void };
}

const { tracing } = proxySinks<TraceSinks>();

/** Creates the interceptors of one run. */
export function interceptors(): WorkflowInterceptors {
  let carried: WithHeaders['headers'] = {};
  const pass = <Input extends WithHeaders>(input: Input): Input => ({
    ...input,
    headers: { ...input.headers, ...carried },
  });
  return {
    inbound: [
      {
        async execute(input, next) {
          const payload = input.headers[TRACE_HEADER];
          if (!payload) return next(input);
          carried = { [TRACE_HEADER]: payload };
          const trace = defaultPayloadConverter.fromPayload<Trace>(payload);
          try {
            const result = await next(input);
            tracing.ended(trace, null);
            return result;
          } catch (error) {
            tracing.ended(trace, error instanceof ContinueAsNew ? null : (error as Error).name);
            throw error;
          }
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: async (input, next) => next(pass(input)),
        scheduleLocalActivity: async (input, next) => next(pass(input)),
        continueAsNew: async (input, next) => next(pass(input)),
      },
    ],
  };
}

type WithHeaders = Pick<Parameters<NonNullable<Execute>>[0], 'headers'>;
type Execute = NonNullable<WorkflowInterceptors['inbound']>[number]['execute'];
