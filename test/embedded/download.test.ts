import { describe, expect, it } from '@jest/globals';
import { createServer, type AddressInfo } from 'node:net';

import { probe } from '../../embedded/download.ts';

describe('probe', () => {
  it('gives up after 3 s on a server that takes a connection and says nothing', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    const { port } = server.address() as AddressInfo;
    const startedAt = performance.now();
    await expect(probe(`http://127.0.0.1:${port}`)).rejects.toThrow('cannot be reached');
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    server.close();
  });

  it('refuses at once where nothing listens', async () => {
    await expect(probe('http://127.0.0.1:1')).rejects.toThrow('127.0.0.1:1 cannot be reached');
  });
});
