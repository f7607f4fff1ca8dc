/** An environment that the caller passes in. This folder does not read its own. */
export type Environment = Record<string, string | undefined>;

/**
 * The only variables that a server gets. It needs none of our secrets, and the Temporal CLI would
 * read any TEMPORAL_ variable as a setting.
 */
const FOR_SERVERS = /^(PATH|HOME|USER|TMPDIR|LANG|LC_ALL|TZ)$/;

/** The variables that an installer gets too: where packages come from, and how to get there. */
const FOR_INSTALLERS = /^(PIP_\w+|SSL_CERT_\w+|REQUESTS_CA_BUNDLE|(https?|all|no)_proxy)$/i;

/** Returns the part of the environment that a server gets. */
export function serverEnvironment(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => FOR_SERVERS.test(name)));
}

/** Returns the part of the environment that a package installer gets. */
export function installerEnvironment(env: Environment): Environment {
  const more = Object.entries(env).filter(([name]) => FOR_INSTALLERS.test(name));
  return { ...serverEnvironment(env), ...Object.fromEntries(more) };
}
