/**
 * Every problem that the doctor reports, by its code. Programs may rely on the codes. An error
 * keeps Tollgate from working, or loses or exposes something. A warning needs attention soon.
 */

import { TEMPORAL_PROBLEMS } from './problems-temporal.ts';

export type Problem = readonly [state: 'warning' | 'error', remedy: string];

export const PROBLEMS = {
  check_failed: [
    'error',
    'Run the command again, and search the logs of that part of the installation if it stays so.',
  ],

  // Configuration
  variable_invalid: [
    'error',
    'Correct the variable as described, or remove it to use its default; README.md lists them all.',
  ],
  mongodb_uri_missing: [
    'error',
    'Set MONGODB_URI to your replica set, for example mongodb://db1,db2,db3/tollgate?replicaSet=rs0.',
  ],
  encryption_key_missing: [
    'error',
    'Set ENCRYPTION_KEY to the key of this installation, or for a new one to the output of `openssl rand -base64 32`.',
  ],
  encryption_key_invalid: [
    'error',
    'Use the output of `openssl rand -base64 32`, or the key that the other processes have.',
  ],
  encryption_key_guessable: [
    'error',
    'Make a random key with `openssl rand -base64 32`, and change to it as in docs/operating.md, "Changing the encryption key".',
  ],
  encryption_key_repeated: [
    'error',
    'Remove the key in use from ENCRYPTION_KEY_PREVIOUS, or put the other key of the change there.',
  ],
  address_unencrypted: [
    'error',
    'Put a proxy with TLS in front of it, and set the variable to its https address.',
  ],
  receivers_too_open: [
    'warning',
    'Limit WEBHOOK_ALLOW_CIDRS to the networks of your receivers, without 169.254.0.0/16 and other internal services.',
  ],

  // MongoDB
  mongodb_uri_invalid: [
    'error',
    'Correct MONGODB_URI; special characters in the user name or password must be percent-encoded.',
  ],
  mongodb_unreachable: [
    'error',
    'Start MongoDB, and correct the hosts, ports and TLS options in MONGODB_URI or the firewall in between.',
  ],
  mongodb_login_refused: [
    'error',
    'Correct the user, password and authSource in MONGODB_URI, or create that user in MongoDB.',
  ],
  mongodb_no_primary: [
    'error',
    'Start enough members for a majority, and check the name in ?replicaSet= and the host names of rs.conf().',
  ],
  mongodb_too_old: ['error', 'Upgrade MongoDB to 6.0 or newer.'],
  mongodb_standalone: [
    'error',
    'Start mongod with --replSet and run rs.initiate(); a set of one member is enough.',
  ],
  mongodb_member_down: [
    'warning',
    'Start the member again, or remove it from the replica set; rs.status() shows why it is down.',
  ],
  mongodb_majority_missing: [
    'error',
    'Start the members that hold data; an arbiter confirms no writes.',
  ],
  mongodb_rights_missing: [
    'error',
    'Grant the user of MONGODB_URI the role readWrite on the database.',
  ],
  transactions_too_long: [
    'warning',
    'Set transactionLifetimeLimitSeconds to 10: documents of a killed process stay locked for that time.',
  ],
  transactions_too_short: [
    'warning',
    'Set transactionLifetimeLimitSeconds to 10, so that MongoDB does not end transactions under way.',
  ],
  indexes_missing: ['error', 'Run `tollgate migrate`, then start server and worker again.'],
  indexes_obsolete: ['error', 'Run `tollgate migrate`; the old unique index could refuse writes.'],
  mongodb_disk_low: ['warning', "Enlarge the disk of MongoDB's data, or lower RETENTION_DAYS."],
  mongodb_disk_full: [
    'error',
    "Enlarge the disk of MongoDB's data now: writes stop when it is full.",
  ],
  clock_off: [
    'warning',
    'Let a time service such as chrony or ntpd set the clocks of both machines.',
  ],
  clock_wrong: [
    'error',
    'Set the wrong clock, and let a time service such as chrony or ntpd keep both machines in time.',
  ],
  encryption_keys_missing: [
    'error',
    'Add the missing key to ENCRYPTION_KEY_PREVIOUS everywhere and restart, or replace the secrets with `tollgate endpoint rotate-secret --overlap 0`.',
  ],

  ...TEMPORAL_PROBLEMS,

  // Public addresses
  address_local: [
    'warning',
    'Set the variable to the https address that customers and merchants use.',
  ],
  address_without_tls: [
    'warning',
    'Use an https address, and take the host out of ALLOW_HTTP_HOSTS.',
  ],
  address_unknown_name: ['error', 'Create the DNS record of the name, or correct the variable.'],
  address_unreachable: [
    'error',
    'Start the proxy and the server, and open the port; the address must work from this machine too.',
  ],
  certificate_untrusted: [
    'error',
    'Install a certificate of a public authority with its whole chain; for an authority of your own, set NODE_EXTRA_CA_CERTS here.',
  ],
  certificate_of_other_host: ['error', 'Get a certificate that has the host of the address.'],
  certificate_expired: ['error', 'Renew the certificate, and reload the proxy.'],
  certificate_ends_soon: ['warning', 'Renew the certificate, and find out why it was not renewed.'],
  address_not_ours: [
    'error',
    "Let the proxy pass this address to Tollgate's port of that service, or correct the variable.",
  ],
  address_of_other_service: [
    'error',
    'Let the proxy pass each public address to the port of its own service: API_PORT, CHECKOUT_PORT, DASHBOARD_PORT.',
  ],
  address_of_other_installation: [
    'error',
    'Let the proxy pass this address to the servers with the ENCRYPTION_KEY and database of this installation.',
  ],
  address_differs: [
    'error',
    'Give all servers, workers and this command the same addresses, and restart what has another one.',
  ],
  version_differs: ['warning', 'Finish the upgrade: restart the servers with the new version.'],
  proxies_differ: [
    'error',
    'Set TRUSTED_PROXY_HOPS to the number of your proxies: rate limits use the wrong client address.',
  ],
  server_degraded: [
    'error',
    'Look at the log of the server: it reaches less than this machine, or has other variables.',
  ],

  // Webhooks
  receivers_unresolved: [
    'error',
    'Correct the name servers of this machine (/etc/resolv.conf), and allow DNS in the firewall.',
  ],
  receivers_unreachable: [
    'error',
    'Allow the worker outgoing connections to the internet, at least to ports 443 and 80.',
  ],
  receivers_private: [
    'warning',
    'Add the network of these receivers to WEBHOOK_ALLOW_CIDRS of the worker, or ask the merchants for public addresses.',
  ],

  // This machine
  disk_low: ['warning', 'Delete old files, or enlarge the disk.'],
  disk_full: [
    'error',
    'Delete old files, or enlarge the disk: logs and temporary files cannot be written.',
  ],
  memory_low: ['warning', 'Stop other programs, or give this machine or container more memory.'],
} as const satisfies Readonly<Record<string, Problem>>;

export type ProblemCode = keyof typeof PROBLEMS;
