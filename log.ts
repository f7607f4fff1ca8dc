/** The log of every process: JSON lines by pino, with keys, secrets and tokens left out. */
import { pino, stdSerializers } from 'pino';
import type { Logger } from 'pino';

export type Log = Logger;

const REDACTED = [
  'authorization',
  'api_key',
  'secret',
  'password',
  'checkout_token',
  'checkout_url',
].flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

/** A log for one process; `level` as pino names them. */
export function makeLog(process: string, level: string): Log {
  return pino({
    name: process,
    level,
    redact: { paths: REDACTED, censor: '[redacted]' },
    // Temporal's own lines have their errors there; an error that is not told how is printed as {}.
    serializers: { error: stdSerializers.err },
    timestamp: pino.stdTimeFunctions.isoTime,
  });
}
