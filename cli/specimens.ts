/** Events of real test payments, for `tollgate check` with an API key. */
import { DESCRIPTION, LARGE, MARK, TEXT, freshOf, orderId } from '../check/specimens.ts';
import type { Specimens } from '../check/specimens.ts';
import type { EventText } from '../check/envelope.ts';
import type { PaymentCreate } from '../sdk/objects.ts';
import type { Access } from './access.ts';
import { awaitEvent } from './trigger.ts';

const AMOUNT = 12_500;
const REFUNDED = 2_500;

/** Creates eight payments through the API, one with a refund, and reads their events. */
export async function realSpecimens({ client, readRaw }: Access): Promise<Specimens> {
  const pay = async (more: Partial<PaymentCreate> = {}): Promise<string> => {
    const { id } = await client.payments.create({
      amount: AMOUNT,
      currency: 'AMD',
      order_id: orderId(),
      return_url: 'https://shop.example/return',
      description: DESCRIPTION,
      metadata: MARK,
      ...more,
    });
    await client.test.outcome(id, 'approve');
    return id;
  };
  const eventOf = async (payment: string, type = 'payment.completed'): Promise<EventText> => {
    const { id } = await awaitEvent(client, payment, type);
    return { id, body: await readRaw(id) };
  };
  const completed = async (more?: Partial<PaymentCreate>): Promise<EventText> =>
    eventOf(await pay(more));
  const refunded = await pay();
  await client.refunds.create({ payment_id: refunded, amount: REFUNDED });
  const plain = await completed();
  return {
    isReal: true,
    plain,
    others: [await completed(), await completed(), await completed(), await completed()],
    nonAscii: await completed({ description: TEXT }),
    large: await completed({ metadata: { ...MARK, ...LARGE } }),
    pair: {
      completed: await eventOf(refunded),
      refunded: await eventOf(refunded, 'refund.completed'),
    },
    fresh: freshOf((JSON.parse(plain.body) as { data: { object: unknown } }).data.object),
  };
}
