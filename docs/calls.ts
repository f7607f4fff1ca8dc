/** The request of an operation: as a curl command, and as a call of each client that has one. */
import { curlFor, exampleKey } from './curl.ts';
import { exampleOf, jsonOf } from './document.ts';
import type { PlacedOperation } from './document.ts';
import type { Reference } from './reference.ts';
import { successOf } from './responses.tsx';

/** The longest line that is not broken. */
const WIDTH = 80;

/** The clients' methods by operation, and the variable for the result. */
const CALLS: Readonly<Record<string, readonly [method: string, result: string]>> = {
  createPayment: ['payments.create', 'payment'],
  listPayments: ['payments.list', 'payment'],
  retrievePayment: ['payments.retrieve', 'payment'],
  updatePayment: ['payments.update', 'payment'],
  cancelPayment: ['payments.cancel', 'payment'],
  decideOutcome: ['test.outcome', 'payment'],
  advancePayment: ['test.advance', 'payment'],
  createRefund: ['refunds.create', 'refund'],
  listRefunds: ['refunds.list', 'refund'],
  retrieveRefund: ['refunds.retrieve', 'refund'],
  listEvents: ['events.list', 'event'],
  retrieveEvent: ['events.retrieve', 'event'],
  listWebhookEndpoints: ['webhookEndpoints.list', 'endpoint'],
  retrieveWebhookEndpoint: ['webhookEndpoints.retrieve', 'endpoint'],
  listCurrencies: ['currencies.list', 'currency'],
};

interface Call {
  readonly method: string;
  /** The variable for the result, or for each object of a list. */
  readonly result: string;
  readonly id: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
  readonly key: string | undefined;
}

/** How a language writes values and calls. */
interface Language {
  readonly fence: string;
  readonly indent: string;
  readonly none: string;
  readonly braces: readonly [open: string, close: string];
  text(value: string): string;
  field(name: string, value: string): string;
  /** Returns the fields of the body as arguments. */
  body(fields: Call['body'], write: (value: unknown) => string): string[];
  key(text: string): string;
  /** Returns what is around the arguments. */
  call(result: string, method: string): readonly [open: string, close: string];
  /** Returns a loop that prints the id of each object of a list. */
  loop(result: string, method: string): string;
}

/** Returns the examples as fenced Markdown. The pages show one of them at a time. */
export function requestFences(api: Reference, operation: PlacedOperation): string {
  const { example } = successOf(api, operation);
  const call = callOf(api, operation, example);
  const calls = call ? LANGUAGES.map((one) => fenced(one.fence, write(one, call))) : [];
  return [fenced('sh', curlFor(api.document, operation, example)), ...calls].join('\n\n');
}

const fenced = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

function callOf(api: Reference, operation: PlacedOperation, example: unknown): Call | undefined {
  const found = CALLS[operation.id];
  if (!found) return undefined;
  const [method, result] = found;
  const { id } = (example ?? {}) as { id?: string };
  const body = exampleOf(api.document, jsonOf(api.document, operation.requestBody)) ?? {};
  return {
    method,
    result,
    id: operation.path.includes('{') ? id : undefined,
    body: body as Call['body'],
    // The clients make a key of their own for the calls that change what exists.
    key: method.endsWith('.create') ? exampleKey(operation, body) : undefined,
  };
}

function write(language: Language, { method, result, id, body, key }: Call): string {
  if (method.endsWith('.list')) return language.loop(result, method);
  const writeValue = (value: unknown): string => {
    if (typeof value === 'string') return language.text(value);
    if (value === null) return language.none;
    if (typeof value !== 'object') return JSON.stringify(value);
    const fields = Object.entries(value).map(([name, one]) =>
      language.field(name, writeValue(one)),
    );
    return group(language.braces, fields, language.indent);
  };
  // The calls of test mode take the only field of their body as it is.
  const isTest = method.startsWith('test.');
  const parts = [
    ...(id === undefined ? [] : [id].map(writeValue)),
    ...(isTest ? Object.values(body).map(writeValue) : language.body(body, writeValue)),
    ...(key === undefined ? [] : [language.key(key)]),
  ];
  return group(language.call(result, method), parts, language.indent);
}

/** Writes the parts on one line if they fit, else each on its own. */
function group([open, close]: Language['braces'], parts: readonly string[], indent: string) {
  const line = open + parts.join(', ') + close;
  if (line.length <= WIDTH && !line.includes('\n')) return line;
  const lines = parts.map((part) => `${part},`.replaceAll(/^/gm, indent));
  return [open.trimEnd(), ...lines, close.trimStart()].join('\n');
}

const inSingleQuotes = (text: string): string => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;

/** Returns the body as one argument, unless it is empty. */
const asOne: Language['body'] = (body, writeValue) =>
  Object.keys(body).length === 0 ? [] : [writeValue(body)];

const LANGUAGES: readonly Language[] = [
  {
    fence: 'ts',
    indent: '  ',
    none: 'null',
    braces: ['{ ', ' }'],
    text: inSingleQuotes,
    field: (name, value) => `${name}: ${value}`,
    body: asOne,
    key: (text) => `{ idempotencyKey: ${inSingleQuotes(text)} }`,
    call: (result, method) => [`const ${result} = await tollgate.${method}(`, ');'],
    loop: (result, method) =>
      `for await (const ${result} of tollgate.${method}()) {\n  console.log(${result}.id);\n}`,
  },
  {
    fence: 'python',
    indent: '    ',
    none: 'None',
    braces: ['{', '}'],
    text: (value) => JSON.stringify(value),
    field: (name, value) => `${JSON.stringify(name)}: ${value}`,
    body: (body, writeValue) =>
      Object.entries(body).map(([name, value]) => `${name}=${writeValue(value)}`),
    key: (text) => `idempotency_key=${JSON.stringify(text)}`,
    call: (result, method) => [`${result} = tollgate.${snakeCase(method)}(`, ')'],
    loop: (result, method) =>
      `for ${result} in tollgate.${snakeCase(method)}():\n    print(${result}["id"])`,
  },
  {
    fence: 'php',
    indent: '    ',
    none: 'null',
    braces: ['[', ']'],
    text: inSingleQuotes,
    field: (name, value) => `${inSingleQuotes(name)} => ${value}`,
    body: asOne,
    key: (text) => `idempotencyKey: ${inSingleQuotes(text)}`,
    call: (result, method) => [`$${result} = $tollgate->${method.replace('.', '->')}(`, ');'],
    loop: (result, method) =>
      `foreach ($tollgate->${method.replace('.', '->')}() as $${result}) {\n` +
      `    echo $${result}['id'], "\\n";\n}`,
  },
];

const snakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (char) => `_${char.toLowerCase()}`);
