/** The page as server.ts renders it, with addresses that are easy to recognise. */
import { CATALOGUE } from '../../operations/refusal.ts';
import { makeOpenApi } from '../../api/openapi.ts';
import { renderDocs } from '../../docs/page.tsx';
import { readReference } from '../../docs/reference.ts';
import type { Reference } from '../../docs/reference.ts';

export const API_URL = 'https://api.pay.example';

const options = () => ({
  document: makeOpenApi({ apiUrl: API_URL, version: '1.2.3' }),
  catalogue: CATALOGUE,
});

export const makeReference = (): Reference => readReference(options());
export const makePage = (): string => renderDocs(options());
