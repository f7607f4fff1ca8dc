/** Checks every response in the tests of the API against its OpenAPI document. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { makeOpenApi } from '../../api/openapi.ts';
import { parseTime } from '../../api/time.ts';
import { parseHttpUrl } from '../../api/webaddress.ts';
import { VERSION } from '../../version.ts';

export const API_URL = 'https://api.example';
export const DOCUMENT = makeOpenApi({ apiUrl: API_URL, version: VERSION, isExact: true });

interface Referable {
  $ref?: string;
}

interface Header extends Referable {
  required?: boolean;
  schema?: object;
}

interface Media {
  schema: { $ref: string };
}

export interface Response extends Referable {
  headers?: Record<string, Header>;
  content?: Record<string, Media>;
}

/** Returns the target of a reference in the document, or `thing` if it is none. */
export function followed<T extends Referable>(thing: T): T {
  const names = thing.$ref?.split('/').slice(1);
  if (!names) return thing;
  // oxlint-disable-next-line typescript/no-explicit-any -- A walk by names has no type.
  const found = names.reduce((at: any, name) => at?.[name], DOCUMENT as unknown);
  if (found === undefined) throw new Error(`The document has no ${thing.$ref}.`);
  return followed(found as T);
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addFormat('date-time', (text) => parseTime(text) !== undefined);
ajv.addFormat('uri', (text) => URL.canParse(text));
ajv.addFormat('http-url', (text) => parseHttpUrl(text) !== undefined);
ajv.addSchema({ components: DOCUMENT.components }, 'document');

const compiled = new Map<string, ValidateFunction>();

/** Validates a value by the schema at `ref`. Returns the errors, or an empty string. */
export function faultsBy(ref: string, value: unknown): string {
  const test = compiled.get(ref) ?? ajv.compile({ $ref: `document${ref}` });
  compiled.set(ref, test);
  return test(value) ? '' : ajv.errorsText(test.errors, { dataVar: 'body' });
}

interface Place {
  readonly pattern: RegExp;
  readonly calls: (typeof DOCUMENT)['paths'][string];
}

const PLACES: readonly Place[] = Object.entries(DOCUMENT.paths).map(([path, calls]) => ({
  pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  calls,
}));

/** Returns the documented response, or undefined for a path that is not documented. */
function documented(method: string, path: string, status: number): Response | undefined {
  const address = path.split('?')[0] ?? '';
  const place = PLACES.find(({ pattern }) => pattern.test(address));
  if (!place || method === 'HEAD') return undefined;
  const operation = place.calls[method.toLowerCase()];
  if (!operation) return followed({ $ref: '#/components/responses/MethodNotAllowed' });
  const response = operation.responses[String(status)];
  if (response) return followed(response as Response);
  throw new Error(`${operation.operationId} returned ${status}, which is not documented.`);
}

export interface Answered {
  status: number;
  headers: Headers;
  text: string;
}

/** Throws if the response is not as documented. */
export function requireConformance(method: string, path: string, answer: Answered): void {
  const { status, headers, text } = answer;
  const response = documented(method, path, status);
  if (!response) return;
  const where = `${method} ${path} returned ${status}`;
  const type = headers.get('content-type')?.split(';')[0] ?? '';
  const media = response.content?.[type];
  if (!media) throw new Error(`${where} as ${type || 'no type'}, which is not documented.`);
  const faults = faultsBy(media.schema.$ref, JSON.parse(text));
  if (faults !== '') throw new Error(`${where}, not as documented: ${faults}\n${text}`);
  for (const [name, reference] of Object.entries(response.headers ?? {})) {
    const header = followed(reference);
    const value = headers.get(name);
    if (value === null && header.required) throw new Error(`${where} without ${name}.`);
    const fits = value === null || ajv.validate(header.schema ?? {}, value);
    if (!fits)
      throw new Error(`${where} with ${name}: ${String(value)}, which is not as documented.`);
  }
}
