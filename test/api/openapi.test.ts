import { describe, expect, it } from 'vitest';
import { CATALOGUE } from '../../operations/refusal.ts';
import { ROUTES } from '../../api/routes.ts';
import {
  advanceSchema,
  cancelSchema,
  outcomeSchema,
  paymentSchema,
  refundSchema,
} from '../../api/schemas.ts';
import { updateSchema } from '../../api/update.ts';
import type { Advance } from '../../domain/advance.ts';
import { EVENT_TYPES } from '../../domain/event.ts';
import type { Payment } from '../../domain/payment.ts';
import { makeOpenApi } from '../../api/openapi.ts';
import { makeDelivery, makeEvent } from '../support/rows/endpoint.ts';
import { makeAttempt } from '../support/rows/payment.ts';
import { VERSION } from '../../version.ts';
import { API_URL, DOCUMENT, faultsBy, followed } from './contract.ts';
import type { Response } from './contract.ts';
import { putPayment, openStand } from './harness.ts';

const stand = await openStand('openapi');

interface Example {
  $ref?: string;
  summary: string;
  value: unknown;
}

interface Media {
  schema: { $ref: string };
  examples: Record<string, Example>;
}

const OPERATIONS = Object.entries(DOCUMENT.paths).flatMap(([path, calls]) =>
  Object.entries(calls).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    path,
    ...operation,
  })),
);

const isClosed = (schema: object): boolean =>
  JSON.stringify(schema).includes('"additionalProperties":false');

describe('a published schema', () => {
  const { schemas } = makeOpenApi({ apiUrl: API_URL, version: VERSION }).components;
  it.each(Object.entries(schemas))(
    'allows other properties only in responses: %s',
    (name, schema) => {
      const isTaken = /Create$|Update$|Cancel$|Outcome$|Advance$/.test(name);
      expect([name, isClosed(schema)]).toEqual([name, isTaken]);
    },
  );
});

/** Returns every value with that name in the document, with its path. */
function everything(name: string, at: unknown = DOCUMENT, way = '#'): [string, unknown][] {
  if (typeof at !== 'object' || at === null) return [];
  return Object.entries(at).flatMap(([key, value]) => {
    const here = `${way}/${key}`;
    return [
      ...(key === name ? [[here, value] as [string, unknown]] : []),
      ...everything(name, value, here),
    ];
  });
}

describe('the OpenAPI document', () => {
  it('has every route, and no other', () => {
    const routes = ROUTES.map(([method, path]) => `${method} ${path}`);
    const published = OPERATIONS.map(({ name }) => name.replace(/\{\w+\}/, ':id'));
    expect(published.toSorted()).toEqual(routes.toSorted());
  });

  it('names every operation once', () => {
    const ids = OPERATIONS.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has a target for every reference', () => {
    const references = everything('$ref').map(([, ref]) => ref as string);
    expect(references.length).toBeGreaterThan(100);
    for (const $ref of references) followed({ $ref });
  });

  it('uses the schemas that validate bodies', () => {
    const { PaymentCreate, RefundCreate, PaymentUpdate, ...schemas } = DOCUMENT.components.schemas;
    const { PaymentCancel, PaymentOutcome, PaymentAdvance } = schemas;
    expect(PaymentUpdate).toBe(updateSchema);
    expect(PaymentCreate).toBe(paymentSchema);
    expect(RefundCreate).toBe(refundSchema);
    expect(PaymentCancel).toBe(cancelSchema);
    expect(PaymentOutcome).toBe(outcomeSchema);
    expect(PaymentAdvance).toBe(advanceSchema);
  });

  it('has every error under its status, in both forms', () => {
    const { responses } = DOCUMENT.components;
    const published = Object.values(responses as Record<string, Response>).flatMap(
      ({ content }) => {
        const media = content?.['application/problem+json'] as Media | undefined;
        return Object.entries(media?.examples ?? {}).map(([code, example]) => {
          const { status } = followed(example).value as { status: number };
          return `${status} ${code}`;
        });
      },
    );
    const catalogue = Object.entries(CATALOGUE).map(([code, { status }]) => `${status} ${code}`);
    expect(published.toSorted()).toEqual(catalogue.toSorted());
  });

  it.each(OPERATIONS)('$name has one success and the common refusals', ({ responses }) => {
    const statuses = Object.keys(responses);
    expect(statuses.filter((status) => status.startsWith('2'))).toHaveLength(1);
    expect(statuses).toEqual(
      expect.arrayContaining(['400', '401', '414', '429', '431', '500', '503']),
    );
  });

  it.each(OPERATIONS)(
    '$name takes an idempotency key exactly if it changes something',
    (operation) => {
      const key = { $ref: '#/components/parameters/IdempotencyKey' };
      const { name, parameters, requestBody, responses } = operation;
      const isPost = name.startsWith('POST');
      expect(parameters.some((each) => JSON.stringify(each) === JSON.stringify(key))).toBe(isPost);
      expect(requestBody !== undefined).toBe(isPost);
      expect('422' in responses).toBe(isPost);
    },
  );

  it.each(OPERATIONS)('$name has the parameters of its path', ({ path, parameters }) => {
    const named = parameters
      .map((each) => followed(each) as { in?: string; name?: string })
      .filter((each) => each.in === 'path');
    expect(named.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
  });

  it('has a webhook for every type of event', () => {
    expect(Object.keys(DOCUMENT.webhooks)).toEqual([...EVENT_TYPES]);
  });

  it('links only to operations that exist', () => {
    const ids: string[] = OPERATIONS.map(({ operationId }) => operationId);
    const links = everything('links').flatMap(([, found]) => Object.values(found as object));
    const targets = links.map(({ operationId }: { operationId: string }) => operationId);
    expect(targets.length).toBeGreaterThan(5);
    expect(targets.filter((id) => !ids.includes(id))).toEqual([]);
  });

  it('describes every operation, tag and parameter', () => {
    const mute = OPERATIONS.filter(({ summary, description }) => !summary || !description);
    expect(mute).toEqual([]);
    const parameters = OPERATIONS.flatMap((operation) => operation.parameters.map(followed));
    expect(parameters.filter((each) => !('description' in each))).toEqual([]);
    const tags = new Set(OPERATIONS.flatMap((operation) => operation.tags));
    expect([...tags].toSorted()).toEqual(DOCUMENT.tags.map(({ name }) => name).toSorted());
  });
});

/** Stores a webhook about the payment that waits for its next attempt. */
async function putDelivery({ _id, m }: Payment): Promise<void> {
  const event = makeEvent({ m, payment_id: _id });
  await stand.mongo.events.insertOne(event);
  const ids = { m, event_id: event._id, endpoint_id: 'we_1' };
  await stand.mongo.deliveries.insertOne(makeDelivery(ids));
}

describe('every example', () => {
  const contents = everything('content')
    .flatMap(([way, content]) =>
      Object.values(content as Record<string, Media>).map((media) => [way, media] as const),
    )
    .filter(([, media]) => media.examples !== undefined);

  it.each(contents)('in %s fits its schema', (_, { schema, examples }) => {
    expect(Object.keys(examples).length).toBeGreaterThan(0);
    for (const [name, example] of Object.entries(examples)) {
      expect([name, faultsBy(schema.$ref, followed(example).value)]).toEqual([name, '']);
    }
  });

  const bodies = OPERATIONS.flatMap(({ name, path, requestBody }) => {
    const { content } = (requestBody ?? { content: {} }) as { content: Record<string, Media> };
    const examples = Object.values(content['application/json']?.examples ?? {});
    return examples.map(({ summary, value }) => ({ name, path, summary, value }));
  });

  it.each(bodies)('$summary is accepted by $name', async ({ path, value }) => {
    const isRefund = path === '/v1/refunds';
    const completed = { status: 'completed', completed_at: new Date() } as const;
    const { to } = value as { to?: Advance };
    const atBank = { status: 'processing' as const, attempts: [makeAttempt()] };
    const needed = to === 'bank_answer' ? atBank : {};
    const payment = await putPayment(stand, isRefund ? completed : needed);
    if (to === 'next_webhook_attempt') await putDelivery(payment);
    const body = isRefund ? { ...(value as object), payment_id: payment._id } : value;
    const address = path.replace('{payment_id}', payment._id);
    const reply = await stand.api.send('POST', address, { body });
    expect(reply.json).not.toHaveProperty('error');
    expect([200, 201]).toContain(reply.status);
  });
});
