/** The configuration: each fault of a variable, and values that are allowed but dangerous. */
import { ConfigError, readConfig } from '../config.ts';
import type { Config } from '../config.ts';
import { isOpened } from '../outbound/address.ts';
import { findingOf, ok, problem } from './check.ts';
import type { Finding } from './check.ts';
import type { ProblemCode } from './problems.ts';

export interface Reading {
  /** The configuration, in which faulty variables have their defaults. */
  readonly config: Config;
  /** The faults, by variable. */
  readonly faults: ReadonlyMap<string, string>;
}

/** The address at which clouds give secrets to programs on their machines. */
const METADATA_ADDRESS = '169.254.169.254';
/** The fewest different bytes of a random key. Fewer than 16 of 32 have no real chance. */
const FEWEST_BYTES = 12;

/** Reads the configuration without its faulty variables, so that everything else can be checked. */
export function readWithoutFaults(): Reading {
  const faults = new Map<string, string>();
  for (;;) {
    try {
      // A file may hold the value.
      const without = [...faults.keys()].flatMap((name) => [name, `${name}_FILE`]);
      return { config: readConfig(without), faults };
    } catch (error) {
      const found = error instanceof ConfigError ? faultsOf(error) : [];
      // Otherwise the next round would have the same faults.
      if (!found.some(([name]) => !faults.has(name))) throw error;
      for (const [name, text] of found) faults.set(name, text);
    }
  }
}

/** Returns the faults of the error, which has a line for each variable. */
function faultsOf({ message }: ConfigError): [name: string, line: string][] {
  return message.split('\n').map((line) => [/^\w*/.exec(line)?.[0] ?? '', line]);
}

interface Present {
  readonly hasDatabase: boolean;
  readonly hasKey: boolean;
}

/** Returns a finding for each fault, or one if there is none. */
export function examineConfiguration(
  { config, faults }: Reading,
  { hasDatabase, hasKey }: Present,
): Finding[] {
  const found = [...faults].map(([name, line]) => faultOf(name, codeOf(name, line), line));
  const isFaulty = (name: string): boolean => faults.has(name) || faults.has(`${name}_FILE`);
  if (!hasDatabase && !isFaulty('MONGODB_URI')) {
    found.push(missing('MONGODB_URI', 'mongodb_uri_missing'));
  }
  if (!hasKey && !isFaulty('ENCRYPTION_KEY')) {
    found.push(missing('ENCRYPTION_KEY', 'encryption_key_missing'));
  }
  const { encryptionKey, webhook } = config;
  if (encryptionKey && new Set(encryptionKey).size < FEWEST_BYTES) {
    const text = 'ENCRYPTION_KEY is not random: the same bytes repeat.';
    found.push(faultOf('ENCRYPTION_KEY', 'encryption_key_guessable', text));
  }
  if (isOpened(METADATA_ADDRESS, webhook.opened)) {
    const text = `WEBHOOK_ALLOW_CIDRS includes ${METADATA_ADDRESS}, where clouds give out secrets.`;
    found.push(faultOf('WEBHOOK_ALLOW_CIDRS', 'receivers_too_open', text));
  }
  if (found.length > 0) return found;
  return [findingOf(CONFIGURATION, ok('Every variable that is set has an allowed value.'))];
}

const CONFIGURATION = { check: 'config', name: 'Configuration' };

const missing = (name: string, code: ProblemCode): Finding =>
  faultOf(name, code, `${name} is not set.`);

function faultOf(name: string, code: ProblemCode, text: string): Finding {
  return findingOf({ check: `config.${name}`, name: CONFIGURATION.name }, problem(code, text));
}

function codeOf(name: string, line: string): ProblemCode {
  if (name === 'ENCRYPTION_KEY_PREVIOUS' && line.includes('contains the key in')) {
    return 'encryption_key_repeated';
  }
  if (/^ENCRYPTION_KEY(_PREVIOUS)?$/.test(name)) return 'encryption_key_invalid';
  return line.includes('unencrypted') ? 'address_unencrypted' : 'variable_invalid';
}
