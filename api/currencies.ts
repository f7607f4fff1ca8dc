/** `GET /v1/currencies`: all of them on one page. */
import { publicCurrencies } from '../domain/wire.ts';
import type { Reply } from './call.ts';
import { listText } from './lists.ts';

export async function listCurrencies(): Promise<Reply> {
  const texts = publicCurrencies().map((currency) => JSON.stringify(currency));
  return { status: 200, text: listText('/v1/currencies', texts, false) };
}
