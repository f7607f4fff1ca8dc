/** The metrics of `tollgate smoke --every`. */
import { Counter, Gauge, Registry } from 'prom-client';
import { serveMetrics } from './serve.ts';

interface Round {
  readonly ok: boolean;
  readonly steps: readonly { readonly step: string; readonly duration_ms: number }[];
}

/** Creates the metrics. `note` adds a round. */
export function makeSmokeMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const rounds = new Counter({
    name: 'tollgate_smoke_rounds_total',
    help: 'Test payments, by result',
    labelNames: ['result'],
    registers,
  });
  for (const result of ['ok', 'failed']) rounds.inc({ result }, 0);
  const steps = new Gauge({
    name: 'tollgate_smoke_step_duration_seconds',
    help: 'Duration of each step of the last test payment, up to the one that failed',
    labelNames: ['step'],
    registers,
  });
  const isOk = new Gauge({
    name: 'tollgate_smoke_ok',
    help: '1 if the last test payment succeeded, 0 if it failed or none has ended yet',
    registers,
  });
  const endedAt = new Gauge({
    name: 'tollgate_smoke_last_round_timestamp_seconds',
    help: 'When the last test payment ended; before the first one, when the command started',
    registers,
  });
  endedAt.setToCurrentTime();
  let stop: (() => Promise<void>) | undefined;
  return {
    registry,
    note(round: Round): void {
      rounds.inc({ result: round.ok ? 'ok' : 'failed' });
      steps.reset();
      for (const { step, duration_ms } of round.steps) steps.set({ step }, duration_ms / 1_000);
      isOk.set(round.ok ? 1 : 0);
      endedAt.setToCurrentTime();
    },
    async listen(port: number): Promise<void> {
      stop = await serveMetrics({ registry }, { variable: '--metrics', port, host: undefined });
    },
    close: async (): Promise<void> => stop?.(),
  };
}
