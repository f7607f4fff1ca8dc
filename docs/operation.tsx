/** One operation of the API: its parameters, its responses, and a request to copy. */
import { requestFences } from './calls.ts';
import { Entry, Fields, Panel, Prose } from './components.tsx';
import { jsonOf, resolve } from './document.ts';
import type { Parameter, PlacedOperation } from './document.ts';
import { fieldsOf } from './fields.ts';
import type { Field } from './fields.ts';
import type { Reference } from './reference.ts';
import { Responses, successOf } from './responses.tsx';

interface OperationProps {
  readonly api: Reference;
  readonly operation: PlacedOperation;
}

export function OperationEntry({ api, operation }: OperationProps) {
  const { id, method, path, summary, description, parameters = [] } = operation;
  const { status, example } = successOf(api, operation);
  const all = parameters.map((parameter) => resolve(api.document, parameter));
  const fieldsIn = (place: string): Field[] =>
    all.filter((one) => one.in === place).map((one) => asField(api, one));
  const code = (
    <>
      <Prose api={api} text={requestFences(api, operation)} />
      <Panel title={`Response ${status}`} value={example} />
    </>
  );
  return (
    <Entry id={id} title={summary ?? id} code={code}>
      <p>
        <strong class="method">{method}</strong> <code>{path}</code>
      </p>
      <Prose api={api} text={description} />
      <Group api={api} title="Path" fields={fieldsIn('path')} />
      <Group api={api} title="Query" fields={fieldsIn('query')} />
      <Group api={api} title="Body" fields={bodyFields(api, operation)} />
      <Group api={api} title="Headers" fields={fieldsIn('header')} />
      <Responses api={api} operation={operation} />
    </Entry>
  );
}

interface GroupProps {
  readonly api: Reference;
  readonly title: string;
  readonly fields: readonly Field[];
}

function Group({ api, title, fields }: GroupProps) {
  if (fields.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <Fields api={api} fields={fields} />
    </>
  );
}

/** Returns a parameter as the only field of an object. */
export function asField(api: Reference, parameter: Parameter): Field {
  const { name: given = '', required = false, description = '', schema = {} } = parameter;
  // An object is a parameter for each of its members, whose names begin with that of the object.
  const isObject = schema.type === 'object' && typeof schema.additionalProperties === 'object';
  const name = isObject ? `${given}.<key>` : given;
  const of = isObject ? schema.additionalProperties : schema;
  const [field] = fieldsOf(api, { properties: { [name]: of } });
  if (!field) throw new Error(`The parameter ${name} has no schema.`);
  return { ...field, isRequired: required, description: description || field.description };
}

/** Returns the fields of the request. */
export function bodyFields(api: Reference, { requestBody }: PlacedOperation): Field[] {
  const { schema = {} } = jsonOf(api.document, requestBody) ?? {};
  // In a request, null means the same as leaving the field out.
  return fieldsOf(api, schema).map((field) => ({ ...field, isNullable: false }));
}
