/** The methods of payment. A new one is a folder, a line here, and a line in texts.ts. */
import type { MethodType } from '../../domain/method.ts';
import { CARD } from './card/card.ts';
import type { Method } from './method.ts';
import { TRANSFER } from './transfer/transfer.ts';

export const METHODS: Readonly<Record<MethodType, Method>> = {
  card: CARD,
  bank_transfer: TRANSFER,
};
