/** Validates a body by its schema. Reports all its errors at once, with our own messages. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { AnySchemaObject, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { containsCardNumber, containsWrittenCardNumber } from '../domain/cardnumber.ts';
import { AMOUNT_UNIT, decimalMessage } from './amount.ts';
import type { Body } from './body.ts';
import { nearest, shownName, suggestion } from '../operations/names.ts';
import { Refusal } from '../operations/refusal.ts';
import type { ErrorCode, FieldError } from '../operations/refusal.ts';
import { parseTime } from './time.ts';
import { refuseUnknown } from './unknown.ts';
import { faultOfUrl } from './webaddress.ts';

/** The maximum number of errors in a response. It is enough for any honest mistake. */
export const MAX_ERRORS = 100;

// Verbose errors have the value, which suggestions need.
const ajv = new Ajv2020({ allErrors: true, strict: true, verbose: true });
ajv.addFormat('http-url', (text) => faultOfUrl(text) === undefined);
ajv.addFormat('date-time', (text) => parseTime(text) !== undefined);

const FINDERS: Readonly<Record<string, (text: string) => boolean>> = {
  refused: containsCardNumber,
  'refused in groups': containsWrittenCardNumber,
};

ajv.addKeyword({
  keyword: 'x-card-numbers',
  type: 'string',
  schemaType: 'string',
  errors: false,
  validate: findsNone,
});

/**
 * Returns true if the text has no card number. Skips texts that are certainly longer than their
 * schema allows, because Ajv checks all keywords of a text. A character has a length of 1 or 2.
 */
function findsNone(name: string, text: string, schema?: AnySchemaObject): boolean {
  const maxLength = Number(schema?.['maxLength'] ?? Infinity);
  return text.length > 2 * maxLength || FINDERS[name]?.(text) === false;
}

/** A compiled schema of bodies of type `T`. */
interface BodySchema<T> {
  readonly test: ValidateFunction<T>;
  /** The names of the parameters, in the order in which errors are reported. */
  readonly names: readonly string[];
  /** The names of amounts; a body has no other numbers. */
  readonly amounts: readonly string[];
}

const isAmount = ({ type }: { type?: unknown }): boolean => namesOf(type) === 'integer';

/** Compiles the schema of the bodies of type `T`. Call it once, when a module is loaded. */
export function compile<T>(schema: {
  readonly properties: Readonly<Record<string, object>>;
}): BodySchema<T> {
  const properties = Object.entries(schema.properties);
  return {
    test: ajv.compile<T>(schema),
    names: properties.map(([name]) => name),
    amounts: properties.filter(([, property]) => isAmount(property)).map(([name]) => name),
  };
}

/** Returns a function that returns true if a value fits the schema. */
export function testOf(schema: object): (value: unknown) => boolean {
  return ajv.compile(schema);
}

/**
 * Returns the body with the type of its schema. Throws `Refusal` with all its errors, one for each
 * parameter, in the order of the schema. The errors that `others` returns come last.
 */
export function validate<T>(
  { test, names, amounts }: BodySchema<T>,
  { body, decimals }: Body,
  others: () => FieldError[] = () => [],
): T {
  const byParam = new Map<string | null, FieldError>();
  for (const param of amounts) {
    const text = decimals.get(param);
    if (text === undefined) continue;
    const message = decimalMessage(param, text, body['currency']);
    byParam.set(param, { param, code: 'parameter_invalid', message });
  }
  if (test(body) && byParam.size === 0) return body;
  const refuseName = refuseUnknown(names);
  for (const error of test.errors ?? []) {
    const fault = faultOf(error, refuseName);
    if (fault && !byParam.has(fault.param)) byParam.set(fault.param, fault);
  }
  const rank = ({ param }: FieldError): number => {
    const place = names.indexOf(param?.split('.')[0] ?? '');
    return place < 0 ? names.length : place;
  };
  const faults = [...byParam.values()].toSorted((a, b) => rank(a) - rank(b));
  throw Refusal.ofFields([...faults.slice(0, MAX_ERRORS), ...others()]);
}

/** The codes of failed keywords. A code with the parameter's name has precedence. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  required: 'parameter_missing',
  'amount minimum': 'amount_too_small',
  'amount maximum': 'amount_too_large',
  'currency enum': 'currency_unsupported',
  'locale enum': 'locale_unsupported',
  'http-url': 'url_invalid',
  'x-card-numbers': 'card_number_refused',
};

function faultOf(
  error: ErrorObject,
  refuseName: ReturnType<typeof refuseUnknown>,
): FieldError | undefined {
  const { keyword, params } = error;
  // These only summarize other errors.
  if (keyword === 'if' || keyword === 'propertyNames') return undefined;
  if (keyword === 'additionalProperties') return refuseName(String(params['additionalProperty']));
  const param = paramOf(error);
  const rule = ruleOf(param, error);
  const code = CODES[`${param} ${rule}`] ?? CODES[rule] ?? 'parameter_invalid';
  return { param, code, message: messageOf(param, rule, error) };
}

/** Returns the keyword that failed, or its format. All keywords of a URL are one rule. */
function ruleOf(param: string, { keyword, params }: ErrorObject): string {
  const isOfText = keyword === 'maxLength' || keyword === 'pattern';
  if (isOfText && param.endsWith('_url')) return 'http-url';
  return keyword === 'format' ? String(params['format']) : keyword;
}

/** Returns the path of the parameter with dots, as in `metadata.color`. */
function paramOf({ instancePath, keyword, params, propertyName }: ErrorObject): string {
  const path = instancePath.split('/').slice(1).map(unescapePointer);
  const { missingProperty } = params as Record<string, string | undefined>;
  // A key that may be a card number is not repeated.
  const key = keyword === 'x-card-numbers' ? undefined : propertyName;
  const name = missingProperty ?? key;
  const parts = [...path, ...(name === undefined ? [] : [name])];
  return shownName(parts.join('.')) ?? parts[0] ?? '';
}

const unescapePointer = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

/** Lists names for a message, without null, which is left out before the check. */
const namesOf = (names: unknown): string =>
  [names]
    .flat()
    .filter((name) => name !== null && name !== 'null')
    .join(', ');

/** The end of each message, after the parameter. `%` is the limit, or the allowed names. */
const MESSAGES: Readonly<Record<string, string>> = {
  type: 'must be of type %',
  enum: 'must be one of: %',
  minimum: `must be at least %, as ${AMOUNT_UNIT}`,
  maximum: `must be at most %, as ${AMOUNT_UNIT}`,
  minLength: 'must have at least % character',
  maxLength: 'must have at most % characters',
  maxProperties: 'must have at most % keys',
  pattern: 'does not have the required form',
  'x-card-numbers': 'seems to contain a card number; never send card data here',
  'date-time': 'must be a time as in RFC 3339, such as 2026-01-31T12:00:00Z',
};

function messageOf(param: string, rule: string, error: ErrorObject): string {
  const { params, data } = error;
  if (param === 'amount' && rule === 'type') return `amount must be a JSON number, ${AMOUNT_UNIT}.`;
  if (rule === 'required') return `${param} is required.${insteadOf(param, error)}`;
  if (rule === 'http-url') return `${param} ${faultOfUrl(String(data)) ?? 'is too long'}.`;
  if (rule === 'pattern' && param.startsWith('metadata')) {
    return `${param}: keys must consist of letters, digits, "_", "." and "-".`;
  }
  const { limit, type, allowedValues } = params as Record<string, unknown>;
  const allowed = [allowedValues].flat().filter((name) => typeof name === 'string');
  const near = suggestion(data, allowed);
  if (near !== '') return `${param} has an unknown value.${near}`;
  const text = (MESSAGES[rule] ?? 'is not valid').replace('%', () =>
    limit === undefined ? namesOf(type ?? allowedValues) : String(Number(limit)),
  );
  return `${param} ${text}.`;
}

/** The unknown names that may stand for a missing one. A request with more has another problem. */
const MAX_MISNAMED = 5;

/** Tells which name was sent in place of the missing one; empty if none is near. */
function insteadOf(missing: string, { data, parentSchema }: ErrorObject): string {
  const names = Object.keys((parentSchema?.['properties'] ?? {}) as object);
  const unknown = Object.keys(data as object).filter((name) => !names.includes(name));
  const sent = unknown.slice(0, MAX_MISNAMED).find((name) => nearest(name, names) === missing);
  const shown = sent === undefined ? undefined : shownName(sent);
  return shown === undefined ? '' : ` The request has ${shown} instead.`;
}
