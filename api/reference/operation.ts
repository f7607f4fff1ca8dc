/** The type of one call's entry in the reference, and what several entries share. */
import type { EventType } from '../../domain/event.ts';
import type { IdKind } from '../../domain/id.ts';
import type { ErrorCode } from '../../operations/refusal.ts';
import type { ListSpec } from '../query.ts';
import { idName } from './parameters.ts';

export const TAGS = {
  Payments: 'Create a payment, send its customer to `checkout_url`, and retrieve the result.',
  Refunds: 'Return the money of a completed payment, all of it or a part.',
  Events: 'What happened, in the same bytes that webhooks carry.',
  'Webhook endpoints': 'Your receivers. Register them in the dashboard, under **Webhooks**.',
  Currencies: 'The currencies that payments can be made in.',
  'Test mode': 'Pay without a browser. For test keys only.',
} as const;

type Examples = Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;

export interface Operation {
  readonly tag: keyof typeof TAGS;
  readonly summary: string;
  readonly description: string;
  /** The kind of the id in the path. */
  readonly id?: IdKind;
  /** The list whose parameters the call takes. */
  readonly list?: ListSpec;
  /** The body of a POST. `schema` is the name of its schema. */
  readonly body?: {
    readonly schema: string;
    readonly required: boolean;
    readonly examples: Examples;
  };
  readonly success: Success;
  /** Error codes besides those that `codesOf` derives. */
  readonly refusals?: readonly ErrorCode[];
  /** Events that the call leads to. */
  readonly emits?: readonly EventType[];
}

interface Success {
  readonly status: 200 | 201;
  readonly description: string;
  readonly schema: string;
  readonly examples: Examples;
  /** Calls that can follow. */
  readonly links?: Readonly<Record<string, object>>;
}

/** Returns the link to a call that takes its parameters from the response. */
export const link = (
  operationId: string,
  description: string,
  parameters: Readonly<Record<string, string>>,
) => ({ [operationId]: { operationId, description, parameters } });

/** Returns an example of a list that has only one page. */
export const listSample = (url: string, data: readonly unknown[]) => ({
  object: 'list',
  url,
  has_more: false,
  data,
});

/** Returns the success of a list call. `schema` and `names` name the objects of the list. */
export const pageOf = (
  { kind, path }: ListSpec,
  { schema, names, sample }: { schema: string; names: string; sample: object },
): Success => ({
  status: 200,
  description: `A page of ${names}.`,
  schema: `${schema}List`,
  examples: { page: { summary: 'The only page', value: listSample(path, [sample]) } },
  links: link(`retrieve${schema}`, `One of the ${names}.`, {
    [idName(kind)]: '$response.body#/data/0/id',
  }),
});
