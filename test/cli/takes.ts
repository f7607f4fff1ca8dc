/** What receivers do with a request before they believe it: the right thing, and usual mistakes. */
import { createHmac } from 'node:crypto';
import { makeWebhookSecret } from '../../activities/sign.ts';
import { webhooks } from '../../sdk/index.ts';
import type { Received } from '../support/receiver.ts';

/** What all of them are configured with. */
export const SECRET = makeWebhookSecret();

/** A request as the receiver's code has it. */
export type Take = (request: Received) => unknown;

export const genuine: Take = ({ raw, headers }) => webhooks.verify(raw, headers, SECRET);

/** What takes the body apart before it verifies it. */
export const throughJson: Take = ({ raw, headers }) =>
  webhooks.verify(JSON.stringify(JSON.parse(raw.toString())), headers, SECRET);

/** What looks at one signature alone, and at nothing else of the header. */
export const firstAlone: Take = ({ raw, headers }) => {
  const [first = ''] = String(headers['service-signature']).split(',');
  webhooks.verify(raw, { ...headers, 'service-signature': first, 'webhook-signature': undefined }, [
    SECRET,
  ]);
};

/** A receiver whose secret was not configured in one of its processes. */
export const withEmptyKey: Take = (request) => {
  const { raw, headers } = request;
  const timestamp = String(headers['service-timestamp']);
  const mac = createHmac('sha256', '').update(`${timestamp}.`).update(raw).digest('hex');
  if (headers['service-signature'] !== `v1=${mac}`) genuine(request);
};

/** What goes through the wrong characters. */
export const latin1: Take = ({ raw, headers }) =>
  webhooks.verify(raw.toString('latin1'), headers, SECRET);
