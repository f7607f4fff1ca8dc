/** `tollgate doctor`: checks the installation, and prints what is wrong with its remedy. */
import { EMBEDDED_CIDRS, readTemporal } from '../config.ts';
import type { Config } from '../config.ts';
import { wordsOf } from '../doctor/check.ts';
import type { Finding, State } from '../doctor/check.ts';
import { readWithoutFaults } from '../doctor/configuration.ts';
import { examineInstallation } from '../doctor/installation.ts';
import type { Installation } from '../doctor/installation.ts';
import { parseRanges } from '../outbound/address.ts';
import { VERSION } from '../version.ts';
import { complain } from './complain.ts';
import { count, paint } from './output.ts';
import type { Colour } from './output.ts';
import { keysOf, readReady } from './services.ts';

/** Runs all checks and prints them. Sets the exit code 1 for warnings, and 2 for errors. */
export async function examineAndPrint(options: { json?: boolean }): Promise<void> {
  try {
    await examineOrThrow(options);
  } catch (error) {
    // For example, the file `.env` cannot be read.
    complain(options, error);
    process.exitCode = 2;
  }
}

async function examineOrThrow(options: { json?: boolean }): Promise<void> {
  const checks = await examineInstallation(readInstallation());
  const numberOf = (state: State): number => checks.filter((each) => each.state === state).length;
  const [errors, warnings] = [numberOf('error'), numberOf('warning')];
  const report = { version: VERSION, errors, warnings, skipped: numberOf('skipped'), checks };
  console.log(options.json ? JSON.stringify(report) : toText(report));
  if (errors + warnings > 0) process.exitCode = errors > 0 ? 2 : 1;
}

/** Reads what is configured, or else what `npm start` runs. Never throws for a fault of either. */
function readInstallation(): Installation {
  const reading = readWithoutFaults();
  const { config, faults } = reading;
  const ready = config.mongoUri === undefined ? tryTo(() => readReady(config.dataDir)) : undefined;
  const isEmbedded = ready !== undefined && !(ready instanceof Error);
  const keys = faults.has('ENCRYPTION_KEY') ? undefined : tryTo(() => keysOf(config));
  return {
    ...reading,
    mongoUri: isEmbedded ? ready.mongodb_uri : config.mongoUri,
    keys: keys instanceof Error ? undefined : keys,
    temporal: tryTo(() => temporalOf(config, isEmbedded ? ready.temporal_address : undefined)),
    opened: isEmbedded && !config.webhook.openedByHand ? embeddedRanges() : config.webhook.opened,
    isEmbedded,
  };
}

const embeddedRanges = () => parseRanges(EMBEDDED_CIDRS.split(','));

function temporalOf(config: Config, embedded: string | undefined) {
  const { connectionOptions, namespace } = readTemporal();
  const address = config.temporalGiven ? undefined : embedded;
  return { namespace, connectionOptions: { ...connectionOptions, ...(address && { address }) } };
}

function tryTo<T>(read: () => T): T | Error {
  try {
    return read();
  } catch (error) {
    return new Error(wordsOf(error), { cause: error });
  }
}

const MARKS: Readonly<Record<State, string>> = {
  ok: 'ok     ',
  warning: 'WARNING',
  error: 'ERROR  ',
  skipped: 'skipped',
};

const COLOURS: Readonly<Record<State, Colour>> = {
  ok: 'green',
  warning: 'yellow',
  error: 'red',
  skipped: 'dim',
};

interface Report {
  readonly errors: number;
  readonly warnings: number;
  readonly skipped: number;
  readonly checks: readonly Finding[];
}

/** Returns the findings in a column, and the remedies below them. */
function toText({ errors, warnings, skipped, checks }: Report): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const lines = checks.flatMap(({ state, name, found, remedy }) => [
    `${paint(MARKS[state], COLOURS[state])}  ${name.padEnd(width)}  ${found}`,
    ...(remedy === null ? [] : [`${' '.repeat(width + 11)}${remedy}`]),
  ]);
  const counts = [
    count(errors, 'error'),
    count(warnings, 'warning'),
    count(checks.length, 'check'),
  ];
  const sum = counts.join(', ');
  return [...lines, '', skipped > 0 ? `${sum}, ${skipped} skipped` : sum].join('\n');
}
