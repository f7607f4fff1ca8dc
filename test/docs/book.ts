/** The page as server.ts has it made, with addresses that are easy to recognise. */
import { CATALOGUE } from '../../operations/refusal.ts';
import { makeOpenApi } from '../../api/openapi.ts';
import { openBook } from '../../docs/book.ts';
import type { Book } from '../../docs/book.ts';
import { renderDocs } from '../../docs/page.tsx';

export const API_URL = 'https://api.pay.example';

const options = () => ({
  document: makeOpenApi({ apiUrl: API_URL, version: '1.2.3' }),
  catalogue: CATALOGUE,
});

export const makeBook = (): Book => openBook(options());
export const makePage = (): string => renderDocs(options());
