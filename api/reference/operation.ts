/** What the reference says of one call, in the terms of the reference; openapi.ts translates it. */
import type { EventType } from '../../domain/event.ts';
import type { IdKind } from '../../domain/id.ts';
import type { ErrorCode } from '../../operations/refusal.ts';
import type { ListSpec } from '../query.ts';

export const TAGS = {
  Payments:
    'Create a payment, send its customer to `checkout_url`, and retrieve what became of it.',
  Refunds: 'Give a completed payment back, whole or in parts.',
  Events: 'What happened: the very bytes that webhooks carry.',
  'Webhook endpoints':
    'Your receivers. Whoever runs the service registers them, by `tollgate endpoint create`.',
  Currencies: 'What payments can be made in.',
  'Test mode': 'Pay without a browser. For test keys only.',
} as const;

export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

export type Examples = Readonly<Record<string, Example>>;

export interface Operation {
  readonly tag: keyof typeof TAGS;
  readonly summary: string;
  readonly description: string;
  /** The kind of the id in its path. */
  readonly id?: IdKind;
  /** Its parameters are those of this list. */
  readonly list?: ListSpec;
  /** Of a POST: the name of its schema, and whether one has to be sent. */
  readonly body?: {
    readonly schema: string;
    readonly required: boolean;
    readonly examples: Examples;
  };
  readonly answer: Success;
  /** Codes of the catalogue besides those that every call can be refused with. */
  readonly refusals: readonly ErrorCode[];
  /** Events that the call leads to. */
  readonly emits?: readonly EventType[];
}

interface Success {
  readonly status: 200 | 201;
  readonly description: string;
  readonly schema: string;
  readonly examples: Examples;
  /** Calls that go on with what was answered. */
  readonly links?: readonly Link[];
}

export interface Link {
  readonly operationId: string;
  readonly description: string;
  /** Where its parameter, or with `inBody` its body's field, comes from. */
  readonly name: string;
  readonly from: string;
  readonly inBody?: Readonly<Record<string, string>>;
}
