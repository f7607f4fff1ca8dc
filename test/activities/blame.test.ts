/** Our own faults do not count against a receiver. */
import { describe, expect, it } from 'vitest';
import { openDeliverGround } from './dispatch.ts';
import { closeAfterTests } from '../support/close.ts';

const ground = closeAfterTests(await openDeliverGround('blame'));

describe('a fault of ours', () => {
  it('does not count against the receiver, which gets its next requests as before', async () => {
    const { id, event } = await ground.begin();
    await ground.mongo.events.deleteOne({ _id: event._id });
    // More often than a receiver may be silent before it is only probed.
    for (let i = 0; i < 6; i += 1) {
      await expect(ground.deliver(id)).rejects.toThrow('is missing');
    }
    await ground.mongo.events.insertOne(event);
    await ground.deliver(id);
    expect(await ground.read(id)).toMatchObject({ state: 'succeeded' });
  });
});
