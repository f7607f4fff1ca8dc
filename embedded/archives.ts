/**
 * The official archives that may be downloaded, each with its publisher's SHA-256. An archive that
 * is not listed here is never downloaded.
 */
import path from 'node:path';

/** The first CLI with server 1.32, which has Standalone Activities on by default. */
export const TEMPORAL_VERSION = '1.9.1';

/** The same release series as in production. */
export const MONGOD_VERSION = '8.0.17';

export interface Archive {
  url: string;
  /** In hexadecimal digits. */
  sha256: string;
  /** The name of the program, the only file of the archive that is kept. */
  program: 'temporal' | 'mongod';
}

/** From the release's checksums.txt. */
const TEMPORAL: Readonly<Record<string, string>> = {
  darwin_amd64: '48cdd6c84c56e27ae8e4d9a47052b89289a9c552dee029b49dd312c6fb72873f',
  darwin_arm64: '41e0425378fcb4fb5766340b97435e20fe47bbff2d7bf644ec2d51f7662b7c56',
  linux_amd64: '09a0326a51db84d02735e53542b9ebd8c4758daf47482a9ab0abce15844e60d5',
  linux_arm64: '6c57c352d52fc3df34412376fd9ba6f74b7e3ace8e426e6cba8600156d36a145',
};

/** The hashes for macOS are from MongoDB's Homebrew formula. */
const MONGOD: Readonly<Record<string, string>> = {
  'macos-arm64': 'e1ec5131b8d65f06d3a1a9f1a4bfe6f08a7d2f9c876436d33ab483d2e26840cb',
  'macos-x86_64': 'daca542b413f4322cef3199bdceed9c06e0b9999a246f6d72c42afb463349805',
  'linux-aarch64-amazon2023': '6f26e7d510d5136eb3397cc15e54adb28adb9e0eeb5648d4f3e2aac3a561dfb4',
  'linux-aarch64-rhel8': 'f7118b78fe5f60724109bf3548d46d4c898f9ec14a7bb4821d43a080a8a98572',
  'linux-aarch64-rhel93': '7192d831f58cc5eece0e3d24921dc4612c99b506ee432c703c8ba687f6322894',
  'linux-aarch64-ubuntu2004': '6f8de47d323c93a2a3d800f9ba529321d7c24dce8e6f344b933c89b9d744dd3c',
  'linux-aarch64-ubuntu2204': '2709ec6acd3de02666d02318d436f5d68dfb7d20b025d24a12a0914aacff4bd3',
  'linux-aarch64-ubuntu2404': '8dc5919025dbabe2103b8e187e2102492af93c08842c37114272bd894e5cfc13',
  'linux-x86_64-amazon2023': '29c195b32b1dd3f0dfa8a497e2199ec313e1e86d3b56966f49822ccb65f1cfcd',
  'linux-x86_64-debian12': 'b774ed64ec13732d25cd8c937bcd221ceadd0c746371f2279aa63aa492c1d0d0',
  'linux-x86_64-rhel8': 'c8986f6fc001d456bd2160c2e96d24201599627eb5832f49d95673779a2768cf',
  'linux-x86_64-rhel93': '9bcb2b0ae5d114a752e3fa9105a50020a104b6c5eaf69d7c248cae43b812196e',
  'linux-x86_64-suse15': '255490e01c2f10ebbf56b284e08d2b1830e5693842b5ba9849d88a92ce5c3cb5',
  'linux-x86_64-ubuntu2004': 'b90f31da88ba94ad20b7a18801a6abd85b7f31bf42677e11b53ec5f82cd5dedf',
  'linux-x86_64-ubuntu2204': '4372a8e503a61814c565d4ccbc5f6765787944772e8969c13ba96c99cca11f75',
  'linux-x86_64-ubuntu2404': 'fe7bccea2ac1eed16867e9ae5a60481455ee30796f285fe67d0d02a6c2abbdda',
};

/** Returns the Temporal CLI for this system. Throws if no SHA-256 is known for it. */
export function temporalArchive(): Archive {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const system = `${process.platform}_${arch}`;
  const file = `temporal_cli_${TEMPORAL_VERSION}_${system}.tar.gz`;
  const url = `https://github.com/temporalio/cli/releases/download/v${TEMPORAL_VERSION}/${file}`;
  return { url, sha256: pinned(TEMPORAL[system], file), program: 'temporal' };
}

/** Returns MongoDB for this system and distribution. Throws if no SHA-256 is known for it. */
export async function mongodArchive(): Promise<Archive> {
  // Loaded only here, because a start from the cache does not need it. The package knows which
  // archive fits which distribution. Its own download does not verify the server's certificate.
  const [{ getOS }, { MongoBinaryDownloadUrl }] = await Promise.all([
    import('mongodb-memory-server-core/lib/util/getos/index.js'),
    import('mongodb-memory-server-core/lib/util/MongoBinaryDownloadUrl.js'),
  ]);
  const { platform, arch } = process;
  const system = { platform, arch, version: MONGOD_VERSION, os: await getOS() };
  const url = await new MongoBinaryDownloadUrl(system).getDownloadUrl();
  const file = path.posix.basename(new URL(url).pathname);
  const name = /^mongodb-(.*)-[\d.]+\.tgz$/.exec(file)?.[1] ?? '';
  return { url, sha256: pinned(MONGOD[name], file), program: 'mongod' };
}

function pinned(sha256: string | undefined, file: string): string {
  if (sha256 === undefined) throw new Error(`no SHA-256 is known for ${file}`);
  return sha256;
}
