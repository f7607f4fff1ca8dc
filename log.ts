/** The log of every process: JSON lines by pino, with keys, secrets and tokens left out. */
import { pino } from 'pino';
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
    timestamp: pino.stdTimeFunctions.isoTime,
  });
}
