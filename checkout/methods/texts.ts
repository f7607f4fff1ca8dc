/** The texts that methods bring along. They are apart from the methods, whose pages need texts. */
import { TRANSFER_TEXTS } from './transfer/texts.ts';

export const METHOD_TEXTS = {
  en: { ...TRANSFER_TEXTS.en },
  hy: { ...TRANSFER_TEXTS.hy },
  ru: { ...TRANSFER_TEXTS.ru },
};
