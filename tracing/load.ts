/** Loads the export of spans, for the programs that have a collector. */
import type { Log } from '../log.ts';

interface LoadOptions {
  /** True if a collector is configured. */
  readonly isOn: boolean;
  readonly service: string;
  readonly version: string;
  readonly log: Log;
}

/**
 * Records and exports the spans of this process if that is configured. Loads nothing of
 * OpenTelemetry otherwise. Returns the step for the end of the process.
 */
export async function exportSpans({ isOn, ...options }: LoadOptions): Promise<() => Promise<void>> {
  if (!isOn) return async () => undefined;
  const { startExport } = await import('./export.ts');
  const { close } = startExport(options);
  return close;
}
