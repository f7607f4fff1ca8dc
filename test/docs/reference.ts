/** The pages as server.ts renders them, with addresses that are easy to recognise. */
import { makeOpenApi } from '../../api/openapi.ts';
import { listCommands } from '../../cli/reference.ts';
import { renderDocs } from '../../docs/page.tsx';
import type { DocsFile } from '../../docs/page.tsx';
import { readReference } from '../../docs/reference.ts';
import type { Reference } from '../../docs/reference.ts';
import { CATALOGUE } from '../../operations/refusal.ts';

export const API_URL = 'https://api.pay.example';

const options = (apiUrl = API_URL) => ({
  document: makeOpenApi({ apiUrl, version: '1.2.3' }),
  catalogue: CATALOGUE,
  commands: listCommands(),
});

export const makeReference = (apiUrl?: string): Reference => readReference(options(apiUrl));
export const makeFiles = (): DocsFile[] => renderDocs(options());
