/**
 * The OpenAPI 3.1 document of the API, put together from what serves it: the map of addresses, the
 * schemas that bodies are checked by, the specs of lists, the catalogue of errors.
 */
import { currencyObject } from './objects/currency.ts';
import { endpointObject } from './objects/endpoint.ts';
import { errorObject, problemObject } from './objects/error.ts';
import { endpointEvent, eventObject, paymentEvent, refundEvent } from './objects/event.ts';
import { listOf } from './objects/list.ts';
import { paymentObject } from './objects/payment.ts';
import { refundObject } from './objects/refund.ts';
import { HEADERS, allRefusals, answersOf, errorExamples } from './reference/answers.ts';
import { INTRODUCTION } from './reference/introduction.ts';
import { TAGS } from './reference/operation.ts';
import type { Operation } from './reference/operation.ts';
import { OPERATIONS } from './reference/operations.ts';
import type { OperationId } from './reference/operations.ts';
import { idName, idempotencyKey, listParameters, pathParameter } from './reference/parameters.ts';
import { WEBHOOKS, WEBHOOK_HEADERS } from './reference/webhooks.ts';
import { ROUTES } from './routes.ts';
import { cancelSchema, outcomeSchema, paymentSchema, refundSchema } from './schemas.ts';

/** The same for all: what is said of one version must not depend on who serves it. */
const SCHEMAS = {
  Payment: paymentObject,
  PaymentCreate: paymentSchema,
  PaymentCancel: cancelSchema,
  PaymentOutcome: outcomeSchema,
  PaymentList: listOf('Payment', '/v1/payments'),
  Refund: refundObject,
  RefundCreate: refundSchema,
  RefundList: listOf('Refund', '/v1/refunds'),
  Event: eventObject,
  PaymentEvent: paymentEvent,
  RefundEvent: refundEvent,
  WebhookEndpointEvent: endpointEvent,
  EventList: listOf('Event', '/v1/events'),
  WebhookEndpoint: endpointObject,
  WebhookEndpointList: listOf('WebhookEndpoint', '/v1/webhook-endpoints'),
  Currency: currencyObject,
  CurrencyList: listOf('Currency', '/v1/currencies'),
  Error: errorObject,
  Problem: problemObject,
};

/** What is taken is closed: a member that is not known is refused. */
const TAKEN: ReadonlySet<string> = new Set([
  'PaymentCreate',
  'PaymentCancel',
  'PaymentOutcome',
  'RefundCreate',
]);

/** The schema without its word that there are no other members, in it and in what is inside it. */
function opened(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(opened);
  if (typeof schema !== 'object' || schema === null) return schema;
  const members = Object.entries(schema).filter(
    ([name, value]) => name !== 'additionalProperties' || value !== false,
  );
  return Object.fromEntries(members.map(([name, value]) => [name, opened(value)]));
}

/** What is answered may get new members within a version, so its schemas let them pass. */
const PUBLISHED = Object.fromEntries(
  Object.entries(SCHEMAS).map(([name, schema]) => [
    name,
    TAKEN.has(name) ? schema : opened(schema),
  ]),
) as typeof SCHEMAS;

interface OpenApiOptions {
  /** The public address, without a slash at the end. */
  readonly apiUrl: string;
  readonly version: string;
  /** For our own tests and types: what is answered has exactly the members that are described. */
  readonly isExact?: boolean;
}

/** What is published of one call. */
export interface PublishedOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly object[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, object>>;
}

type Paths = Record<string, Record<string, PublishedOperation>>;

/** The whole document. */
export function makeOpenApi({ apiUrl, version, isExact = false }: OpenApiOptions) {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Tollgate API',
      version,
      summary: 'Payments by a hosted checkout page.',
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: apiUrl }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    security: [{ secretKey: [] }],
    paths: pathsOf(),
    webhooks: WEBHOOKS,
    components: {
      schemas: isExact ? SCHEMAS : PUBLISHED,
      securitySchemes: {
        secretKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'Your secret key, `sk_test_...`. Whoever runs the service makes it, and it is shown once; keep it on your server.',
        },
      },
      headers: HEADERS,
      parameters: { IdempotencyKey: idempotencyKey, ...WEBHOOK_HEADERS },
      responses: allRefusals(),
      examples: errorExamples(apiUrl),
    },
  };
}

export type OpenApiDocument = ReturnType<typeof makeOpenApi>;

/** The map of addresses, each with its calls. */
function pathsOf(): Paths {
  const paths: Paths = {};
  for (const [method, path, , operationId] of ROUTES) {
    const operation = OPERATIONS[operationId];
    const published = operation.id ? path.replace(':id', `{${idName(operation.id)}}`) : path;
    const calls = (paths[published] ??= {});
    calls[method.toLowerCase()] = operationOf(operationId, operation);
  }
  return paths;
}

function operationOf(operationId: OperationId, operation: Operation): PublishedOperation {
  const { tag, summary, description, id, list, body, emits } = operation;
  const events = (emits ?? []).map((type) => `\`${type}\``).join(', ');
  return {
    operationId,
    tags: [tag],
    summary,
    description: events === '' ? description : `${description}\n\nEvents: ${events}.`,
    parameters: [
      ...(id ? [pathParameter(id)] : []),
      ...(list ? listParameters(list) : []),
      ...(body ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ],
    ...(body ? { requestBody: bodyOf(body) } : {}),
    responses: answersOf(operation),
  };
}

function bodyOf({ schema, required, examples }: NonNullable<Operation['body']>) {
  const content = { schema: { $ref: `#/components/schemas/${schema}` }, examples };
  return { required, content: { 'application/json': content } };
}
