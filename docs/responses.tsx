/** The responses of an operation: its own errors in full, and the shared ones folded. */
import { exampleOf, jsonOf, resolve } from './document.ts';
import type { PlacedOperation } from './document.ts';
import { renderText } from './markdown.ts';
import type { Reference } from './reference.ts';

interface ResponsesProps {
  readonly api: Reference;
  readonly operation: PlacedOperation;
}

const responsesOf = ({ responses = {} }: PlacedOperation) => Object.entries(responses);

/** Returns the errors that the operation's responses have examples of. */
export function codesOf({ document, catalogue }: Reference, operation: PlacedOperation): string[] {
  return responsesOf(operation).flatMap(([, response]) =>
    Object.keys(jsonOf(document, response)?.examples ?? {}).filter((name) => catalogue[name]),
  );
}

/** Returns the errors that every operation with this method has. */
function sharedCodes(api: Reference, method: string): string[] {
  const [first = [], ...rest] = api.operations
    .filter((operation) => operation.method === method)
    .map((operation) => codesOf(api, operation));
  return first.filter((code) => rest.every((codes) => codes.includes(code)));
}

export function Responses({ api, operation }: ResponsesProps) {
  const { method } = operation;
  const shared = sharedCodes(api, method);
  const own = codesOf(api, operation).filter((code) => !shared.includes(code));
  const successes = responsesOf(operation).filter(([status]) => status.startsWith('2'));
  return (
    <>
      <h3>Responses</h3>
      <ul class="responses">
        {successes.map(([status, response]) => (
          <Response
            key={status}
            api={api}
            status={status}
            text={resolve(api.document, response).description ?? ''}
          />
        ))}
        <Errors api={api} codes={own} />
      </ul>
      {shared.length > 0 && (
        <details>
          <summary>
            Errors of every {method} ({shared.length})
          </summary>
          <ul class="responses">
            <Errors api={api} codes={shared} />
          </ul>
        </details>
      )}
    </>
  );
}

function Errors({ api, codes }: { api: Reference; codes: readonly string[] }) {
  return codes.map((code) => {
    const { status = '', message = '' } = api.catalogue[code] ?? {};
    return <Response key={code} api={api} status={status} text={`\`${code}\` ${message}`} />;
  });
}

interface ResponseProps {
  readonly api: Reference;
  readonly status: string | number;
  readonly text: string;
}

function Response({ api, status, text }: ResponseProps) {
  return (
    <li>
      <span>{status}</span>
      <div dangerouslySetInnerHTML={{ __html: renderText(text, api.linkOf) }} />
    </li>
  );
}

/** Returns the status and the first example of success. */
export function successOf({ document }: Reference, operation: PlacedOperation) {
  const [status = '', response] =
    responsesOf(operation).find(([each]) => each.startsWith('2')) ?? [];
  return { status, example: exampleOf(document, jsonOf(document, response)) };
}
