/** `tollgate explain`: the signature of a webhook request that the developer has at hand. */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { explainSignature } from '../domain/signature/explain.ts';
import type { ComparedHeader, Explanation, Finding } from '../domain/signature/explain.ts';
import type { Hmac } from '../domain/signature/forms.ts';
import { secretsOf } from './access.ts';
import { Refusal } from './refusal.ts';

export interface ExplainOptions {
  /** A file, or `-` for standard input. */
  body: string;
  timestamp: string;
  id?: string;
  secret?: string;
  oldSecret?: readonly string[];
  computed?: readonly string[];
  header?: readonly string[];
  json?: boolean;
}

export const nodeHmac: Hmac = (algorithm, key, message) =>
  createHmac(algorithm, key).update(message).digest();

/** Prints what is signed, what the headers have to be, and what went wrong. */
export function explain(options: ExplainOptions): void {
  const { timestamp, oldSecret: otherSecrets, computed } = options;
  const body = readBody(options.body);
  const id = options.id ?? idOf(body);
  if (id === undefined) {
    throw new Refusal('parameter_missing', 'The body has no id: give --id.', 'id');
  }
  const secrets = secretsOf(options.secret);
  if (secrets.length === 0) {
    const message = 'The secret is missing: set TOLLGATE_WEBHOOK_SECRET, or give --secret.';
    throw new Refusal('parameter_missing', message, 'secret');
  }
  const given = readHeaders(options.header ?? []);
  const now = Math.floor(Date.now() / 1_000);
  const request = { id, timestamp, body, secrets, otherSecrets, given, computed, now };
  const explanation = explainSignature(request, nodeHmac);
  console.log(options.json ? JSON.stringify(explanation) : textOf(explanation));
}

function readBody(file: string): Buffer {
  try {
    return readFileSync(file === '-' ? 0 : file);
  } catch (error) {
    throw new Refusal('parameter_invalid', `--body: ${(error as Error).message}`, 'body');
  }
}

function idOf(body: Buffer): string | undefined {
  try {
    const { id } = JSON.parse(body.toString()) as { id?: unknown };
    return typeof id === 'string' ? id : undefined;
  } catch {
    return undefined;
  }
}

function readHeaders(lines: readonly string[]): Record<string, string> {
  const pairs = lines.map((line) => {
    const [, name = '', value = ''] = /^([\w-]+):(.*)$/.exec(line) ?? [];
    if (name === '') {
      const message = `--header ${line}: write it as "Name: value".`;
      throw new Refusal('parameter_invalid', message, 'header');
    }
    return [name.toLowerCase(), value.trim()];
  });
  return Object.fromEntries(pairs) as Record<string, string>;
}

/** Enough of a body to recognise it; --json has all of it. */
const SHOWN = 600;

function textOf({ forms, headers, findings }: Explanation): string {
  const parts = forms.map(({ form, signed, odd, key }) => {
    const name = form === 'service' ? 'Service-Signature' : 'webhook-signature';
    const rest = signed.length - SHOWN;
    const shown = signed.slice(0, SHOWN) + (rest > 0 ? `... (${rest} more characters)` : '');
    const strange = odd.map(({ at, char, hex }) => `byte ${at}: ${hex} ${JSON.stringify(char)}`);
    const notAscii = odd.length > 0 ? [`  Not plain ASCII: ${strange.join(', ')}`] : [];
    return [`${name} signs`, `  ${shown}`, `  Key: ${key}`, ...notAscii].join('\n');
  });
  return [...parts, headers.map(lineOf).join('\n'), findings.map(sayingOf).join('\n')]
    .filter((part) => part !== '')
    .join('\n\n');
}

function lineOf({ name, expected, given, fits }: ComparedHeader): string {
  const line = `${name}: ${expected}`;
  if (given === undefined) return line;
  return fits ? `${line}\n  as given` : `${line}\n  DIFFERS from what was given: ${given}`;
}

function sayingOf({ kind, about, says }: Finding): string {
  const mark = kind === 'mistake' ? 'WRONG' : 'Note';
  return `${mark}${about === null ? '' : ` (${about})`}: ${says}`;
}
