/** Two servers and two workers behind a load balancer, each of which can be replaced. */
import path from 'node:path';
import { openBalancer } from '../support/servers/balancer.ts';
import type { Balancer } from '../support/servers/balancer.ts';
import { openDeployment } from '../support/servers/deployment.ts';
import type { Deployment } from '../support/servers/deployment.ts';
import type { Program } from '../support/servers/programs.ts';
import { freePort } from '../support/port.ts';

const PAIR = [1, 2] as const;
/** Less than in production: the balancer polls more often than others. */
const DRAIN_SECONDS = '2';

export interface Fleet {
  readonly deployment: Deployment;
  readonly balancer: Balancer;
  /** Starts all programs of one build, by default the present one. */
  start(build?: string): Promise<void>;
  /**
   * Replaces each program by one of another build, in turn: workers first, then servers. Calls
   * `between` after each. Returns the exit codes of the old ones, and the time that each stop took.
   */
  roll(between: () => Promise<void>, build?: string): Promise<Stop[]>;
  close(): Promise<void>;
}

export interface Stop {
  readonly name: string;
  readonly code: number | null;
  readonly tookMs: number;
}

/**
 * Prepares the programs. A program of another build takes the ports of the one before. If a folder
 * of older programs is given, the database is migrated by them first.
 */
export async function openFleet(file: string, older?: string): Promise<Fleet> {
  const balancer = await openBalancer();
  const { apiUrl: API_URL, checkoutUrl: CHECKOUT_URL } = balancer;
  const deployment = await openDeployment({
    file,
    env: { API_URL, CHECKOUT_URL, DRAIN_SECONDS },
    ...(older === undefined ? {} : { older }),
  });
  const places = await Promise.all([
    ...PAIR.map(async (number) => ({ name: `worker-${number}`, ports: await portsOf() })),
    ...PAIR.map(async (number) => ({ name: `server-${number}`, ports: await portsOf() })),
  ]);
  const make = ({ name, ports }: (typeof places)[number], build: string): Program => {
    const { api, checkout, dashboard } = ports;
    const isServer = name.startsWith('server');
    const own = isServer
      ? { API_PORT: api, CHECKOUT_PORT: checkout, DASHBOARD_PORT: dashboard }
      : { WORKER_HEALTH_PORT: api };
    return deployment.program(name, [path.join(build, isServer ? 'server.js' : 'worker.js')], {
      url: `http://127.0.0.1:${api}${isServer ? '/readyz' : ''}`,
      env: Object.fromEntries(Object.entries(own).map(([key, port]) => [key, String(port)])),
    });
  };
  const running = new Map<string, Program>();
  const begin = async (place: (typeof places)[number], build: string): Promise<void> => {
    const program = make(place, build);
    running.set(place.name, program);
    await program.start();
  };
  const servers = places.filter(({ name }) => name.startsWith('server'));
  balancer.serve(servers.map(({ ports }) => ports));
  return {
    deployment,
    balancer,
    start: async (build = '') => {
      await Promise.all(places.map(async (place) => begin(place, build)));
    },
    async roll(between, build = '') {
      const stops: Stop[] = [];
      for (const place of places) {
        const startedMs = performance.now();
        const code = await running.get(place.name)!.stop();
        stops.push({ name: place.name, code, tookMs: performance.now() - startedMs });
        await begin(place, build);
        await between();
      }
      return stops;
    },
    close: async () => {
      await deployment.close();
      await balancer.close();
    },
  };
}

async function portsOf() {
  const [api, checkout, dashboard] = await Promise.all([freePort(), freePort(), freePort()]);
  return { api, checkout, dashboard };
}
