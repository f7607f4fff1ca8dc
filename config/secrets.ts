/** Secrets that a file may hold: `ENCRYPTION_KEY_FILE` names a file with `ENCRYPTION_KEY`. */
import { readFileSync } from 'node:fs';

type Variables = Partial<Record<string, string>>;

/** The variables that a file may hold instead, as container platforms hand over secrets. */
export const SECRETS = [
  'ENCRYPTION_KEY',
  'ENCRYPTION_KEY_PREVIOUS',
  'MONGODB_URI',
  'TEMPORAL_API_KEY',
  'TOLLGATE_API_KEY',
  'TOLLGATE_WEBHOOK_SECRET',
] as const;

/** A value is a line or a few. A larger file is a mistake. */
const MAX_CHARACTERS = 64 * 1024;

/** The variables with the secrets of files, and a fault for each file that cannot be used. */
export interface WithSecrets {
  readonly variables: Variables;
  readonly faults: Partial<Record<string, Error>>;
}

/**
 * Returns the variables with the secrets of the files that they name. White space at the end of a
 * file is not part of the secret.
 */
export function readSecrets(given: Variables): WithSecrets {
  const variables = { ...given };
  const faults: Partial<Record<string, Error>> = {};
  for (const name of SECRETS) {
    const variable = `${name}_FILE`;
    const file = given[variable];
    if (file === undefined) continue;
    try {
      if (given[name] !== undefined) throw new Error(`${name} is set too; unset one of them`);
      variables[name] = readSecret(file);
    } catch (error) {
      faults[variable] = error as Error;
    }
  }
  return { variables, faults };
}

function readSecret(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trimEnd();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`${file} ${REASONS[code ?? ''] ?? `cannot be read (${code})`}`, {
      cause: error,
    });
  }
  if (text === '') throw new Error(`${file} is empty`);
  if (text.length > MAX_CHARACTERS) throw new Error(`${file} is too long for a secret`);
  return text;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be read by this user',
  EISDIR: 'is a folder',
};
