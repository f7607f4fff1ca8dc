/**
 * The OpenAPI 3.1 document of the API. It is built from what serves the API: the routes, the
 * schemas that validate bodies, the specs of lists, and the catalogue of errors.
 */
import { currencyObject } from './objects/currency.ts';
import { endpointObject } from './objects/endpoint.ts';
import { errorObject, problemObject } from './objects/error.ts';
import { endpointEvent, eventObject, paymentEvent, refundEvent } from './objects/event.ts';
import { listOf, refTo } from './objects/part.ts';
import { paymentObject } from './objects/payment.ts';
import { refundObject } from './objects/refund.ts';
import { HEADERS, allRefusals, responsesOf, errorExamples } from './reference/responses.ts';
import { INTRODUCTION } from './reference/introduction.ts';
import { TAGS } from './reference/operation.ts';
import type { Operation } from './reference/operation.ts';
import { OPERATIONS } from './reference/operations.ts';
import type { OperationId } from './reference/operations.ts';
import { idName, idempotencyKey, listParameters, pathParameter } from './reference/parameters.ts';
import { WEBHOOKS, WEBHOOK_HEADERS } from './reference/webhooks.ts';
import { ROUTES } from './routes.ts';
import {
  advanceSchema,
  cancelSchema,
  outcomeSchema,
  paymentSchema,
  refundSchema,
} from './schemas.ts';
import { updateSchema } from './update.ts';

const SCHEMAS = {
  Payment: paymentObject,
  PaymentCreate: paymentSchema,
  PaymentUpdate: updateSchema,
  PaymentCancel: cancelSchema,
  PaymentOutcome: outcomeSchema,
  PaymentAdvance: advanceSchema,
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

/** The schemas that stay closed: an unknown parameter of a request is refused. */
const REQUESTS: ReadonlySet<object> = new Set([
  paymentSchema,
  updateSchema,
  cancelSchema,
  outcomeSchema,
  advanceSchema,
  refundSchema,
]);

/** Returns the schema without `additionalProperties: false`, at every level. */
const opened = (schema: object): unknown =>
  JSON.parse(JSON.stringify(schema), (name, value: unknown) =>
    name === 'additionalProperties' && value === false ? undefined : value,
  );

/** Responses may get new properties within a version, so their published schemas are open. */
const PUBLISHED = Object.fromEntries(
  Object.entries(SCHEMAS).map(([name, schema]) => [
    name,
    REQUESTS.has(schema) ? schema : opened(schema),
  ]),
) as typeof SCHEMAS;

interface OpenApiOptions {
  /** The public address, without a slash at the end. */
  readonly apiUrl: string;
  readonly version: string;
  /** True if responses have exactly the schemas' properties, for our own tests and types. */
  readonly isExact?: boolean;
}

/** Returns the whole document. */
export function makeOpenApi({ apiUrl, version, isExact = false }: OpenApiOptions) {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Tollgate API',
      version,
      summary: 'Payments with a hosted checkout page.',
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: apiUrl }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    security: [{ secretKey: [] }],
    paths: makePaths(),
    webhooks: WEBHOOKS,
    components: {
      schemas: isExact ? SCHEMAS : PUBLISHED,
      securitySchemes: {
        secretKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'Your secret key, `sk_test_...`. You create it in the dashboard, and it is shown once. Keep it on your server.',
        },
      },
      headers: HEADERS,
      parameters: { IdempotencyKey: idempotencyKey, ...WEBHOOK_HEADERS },
      responses: allRefusals(),
      examples: errorExamples(apiUrl),
    },
  };
}

type Paths = Record<string, Record<string, ReturnType<typeof operationOf>>>;

function makePaths(): Paths {
  const paths: Paths = {};
  for (const [method, path, , operationId] of ROUTES) {
    const { id } = OPERATIONS[operationId];
    const published = id ? path.replace(':id', `{${idName(id)}}`) : path;
    (paths[published] ??= {})[method.toLowerCase()] = operationOf(operationId);
  }
  return paths;
}

function operationOf(operationId: OperationId) {
  const operation = OPERATIONS[operationId];
  const { tag, summary, description, id, list, body, emits = [] } = operation;
  const events = emits.map((type) => `\`${type}\``).join(', ');
  const parameters: object[] = [
    ...(id ? [pathParameter(id)] : []),
    ...(list ? listParameters(list) : []),
    ...(body ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ];
  return {
    operationId,
    tags: [tag],
    summary,
    description: events === '' ? description : `${description}\n\nEvents: ${events}.`,
    parameters,
    ...(body ? { requestBody: bodyOf(body) } : {}),
    responses: responsesOf(operation),
  };
}

function bodyOf({ schema, required, examples }: NonNullable<Operation['body']>) {
  return { required, content: { 'application/json': { schema: refTo(schema), examples } } };
}
