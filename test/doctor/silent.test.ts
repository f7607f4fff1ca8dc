/** Everything accepts connections, and nothing responds. */
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { expect, it } from 'vitest';
import { startTollgate } from '../cli/command.ts';
import { closeAfterTests } from '../support/close.ts';
import { useDatabase } from '../store/database.ts';
import { withDatabase } from '../support/servers/deployment.ts';
import { openMongoProxy } from '../support/servers/proxy.ts';
import { environment, expectProblem, findingsOf } from './examined.ts';

const database = await useDatabase('doctor-silent');
const sockets = new Set<Socket>();
const server = createServer((socket) => {
  sockets.add(socket);
  // The other side may reset a connection.
  socket.on('error', () => undefined);
});
await new Promise<void>((resolve) => {
  server.listen(0, '127.0.0.1', resolve);
});
closeAfterTests({
  close: async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  },
});
const proxy = closeAfterTests(await openMongoProxy(withDatabase(database.uri, database.name)));
const silent = `127.0.0.1:${(server.address() as AddressInfo).port}`;

it('the doctor ends, and reports each part that does not respond', async () => {
  const env = environment({
    MONGODB_URI: `mongodb://${silent}/tollgate`,
    TEMPORAL_ADDRESS: silent,
    API_URL: `http://${silent}`,
  });
  const { ended } = startTollgate(['doctor', '--json'], env);
  const findings = findingsOf(await ended);
  expectProblem(findings, 'mongodb_unreachable');
  expectProblem(findings, 'temporal_unreachable');
  expectProblem(findings, 'address_unreachable');
});

it('a database that falls silent during the checks delays none of the others', async () => {
  const held = proxy.hold('buildInfo', 'answer');
  const { ended } = startTollgate(['doctor', '--json'], environment({ MONGODB_URI: proxy.uri }));
  await held;
  const findings = findingsOf(await ended);
  const states = Object.fromEntries(findings.map(({ check, state }) => [check, state]));
  expect(states).toMatchObject({ 'mongodb.version': 'error', 'temporal.version': 'ok' });
  expect(findings.find(({ check }) => check === 'mongodb.version')?.code).toBe('check_failed');
});
