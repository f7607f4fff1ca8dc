/** The log of every process: JSON lines by pino, without keys, secrets and tokens. */
import { pino, stdSerializers } from 'pino';
import type { Logger } from 'pino';
import { currentTraceId } from './tracing/current.ts';

export type Log = Logger;

const REDACTED = [
  'authorization',
  'api_key',
  'secret',
  'password',
  'checkout_token',
  'checkout_url',
].flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

/** Creates the log of a process. `level` is one of pino's. */
export function makeLog(process: string, level: string): Log {
  return pino({
    name: process,
    level,
    redact: { paths: REDACTED, censor: '[redacted]' },
    // Temporal logs its errors under this name. Without a serializer they would be printed as {}.
    serializers: { error: stdSerializers.err },
    // Work outside every trace has none.
    mixin: () => ({ trace_id: currentTraceId() }),
    timestamp: pino.stdTimeFunctions.isoTime,
  });
}
