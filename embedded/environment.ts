/** The environment as a caller hands it in; this room never reads it by itself. */
export type Environment = Record<string, string | undefined>;

/**
 * A server gets only these: secrets of ours are none of its business, and the Temporal CLI would
 * take any TEMPORAL_ variable of the caller as a setting of its own.
 */
const FOR_SERVERS = /^(PATH|HOME|USER|TMPDIR|LANG|LC_ALL|TZ)$/;

/** What an installer needs besides: where packages come from and how to get there. */
const FOR_INSTALLERS = /^(PIP_\w+|SSL_CERT_\w+|REQUESTS_CA_BUNDLE|(https?|all|no)_proxy)$/i;

/** The part of the environment that a server is given. */
export function serverEnvironment(env: Environment): Environment {
  return pick(env, (name) => FOR_SERVERS.test(name));
}

/** The part of the environment that a package installer is given. */
export function installerEnvironment(env: Environment): Environment {
  return pick(env, (name) => FOR_SERVERS.test(name) || FOR_INSTALLERS.test(name));
}

function pick(env: Environment, wanted: (name: string) => boolean): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => wanted(name)));
}
