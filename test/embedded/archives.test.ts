import { describe, expect, it } from 'vitest';

import { mongodArchive, temporalArchive } from '../../embedded/archives.ts';

/** Runs `body` as if on another system. */
async function on<T>(system: Partial<NodeJS.Process>, body: () => T | Promise<T>): Promise<T> {
  const before = Object.keys(system).map((name) => [
    name,
    Object.getOwnPropertyDescriptor(process, name),
  ]);
  for (const [name, value] of Object.entries(system)) {
    Object.defineProperty(process, name, { value, configurable: true });
  }
  try {
    return await body();
  } finally {
    Object.defineProperties(process, Object.fromEntries(before) as PropertyDescriptorMap);
  }
}

describe('temporalArchive', () => {
  it.each([
    ['linux', 'x64', 'temporal_cli_1.9.1_linux_amd64.tar.gz'],
    ['linux', 'arm64', 'temporal_cli_1.9.1_linux_arm64.tar.gz'],
    ['darwin', 'x64', 'temporal_cli_1.9.1_darwin_amd64.tar.gz'],
    ['darwin', 'arm64', 'temporal_cli_1.9.1_darwin_arm64.tar.gz'],
  ] as const)('returns the archive for %s on %s with its hash', async (platform, arch, file) => {
    const archive = await on({ platform, arch }, temporalArchive);
    expect(archive.url).toMatch(new RegExp(`^https://.*/v1\\.9\\.1/${file}$`));
    expect(archive.sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it('refuses a system without a known hash', async () => {
    const refused = on({ platform: 'freebsd' }, temporalArchive);
    await expect(refused).rejects.toThrow('no SHA-256 is known for temporal_cli_1.9.1_freebsd');
  });
});

describe('mongodArchive', () => {
  it.each(['x64', 'arm64'] as const)('returns the archive for macOS on %s', async (arch) => {
    const archive = await on({ platform: 'darwin', arch }, mongodArchive);
    expect(archive.url).toMatch(/^https:.*\/osx\/mongodb-macos-(arm64|x86_64)-8\.0\.17\.tgz$/);
    expect(archive.sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it('refuses a system without a known hash', async () => {
    const refused = on({ platform: 'win32', arch: 'x64' }, mongodArchive);
    await expect(refused).rejects.toThrow(/no SHA-256 is known for mongodb-windows.*8\.0\.17\.zip/);
  });
});
