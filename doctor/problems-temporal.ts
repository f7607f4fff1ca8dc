/** The problems with Temporal that the doctor reports. */
import type { Problem } from './problems.ts';

export const TEMPORAL_PROBLEMS = {
  temporal_config_unreadable: [
    'error',
    'Correct the TEMPORAL_ variables as described; docs/operating.md, "Connecting to Temporal", has each of them.',
  ],
  temporal_tls_needed: ['error', 'Set TEMPORAL_TLS=true, or correct TEMPORAL_ADDRESS.'],
  temporal_tls_not_spoken: [
    'error',
    'Correct TEMPORAL_ADDRESS, or set TEMPORAL_TLS=false if the network in between is private.',
  ],
  temporal_certificate_untrusted: [
    'error',
    "Set TEMPORAL_TLS_SERVER_CA_CERT_PATH to the certificate of the authority that issued Temporal's.",
  ],
  temporal_certificate_of_other_host: [
    'error',
    "Correct TEMPORAL_ADDRESS, or set TEMPORAL_TLS_SERVER_NAME to a name in the server's certificate.",
  ],
  temporal_certificate_expired: ['error', "Renew the certificate of Temporal's server."],
  temporal_client_certificate_missing: [
    'error',
    'Set TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH to a certificate that Temporal accepts, and its key.',
  ],
  temporal_client_certificate_refused: [
    'error',
    "Use a client certificate of an authority that Temporal's server trusts.",
  ],
  temporal_client_certificate_expired: [
    'error',
    'Renew the client certificate, and restart servers and workers, which read it when they start.',
  ],
  temporal_client_certificate_ends_soon: [
    'warning',
    'Renew the client certificate, and restart servers and workers, which read it when they start.',
  ],
  temporal_unreachable: [
    'error',
    'Start Temporal, and correct TEMPORAL_ADDRESS (host:port, no http://), TEMPORAL_TLS or the firewall in between.',
  ],
  temporal_login_refused: [
    'error',
    'Correct TEMPORAL_API_KEY or the client certificate, and give it access to the namespace.',
  ],
  temporal_too_old: ['error', 'Upgrade the Temporal server to 1.32 or newer.'],
  temporal_namespace_missing: [
    'error',
    'Correct TEMPORAL_NAMESPACE, or start the server or the worker, which register the namespace.',
  ],
  temporal_retention_short: [
    'warning',
    'Run `temporal operator namespace update --retention 7d`, or you cannot look at what failed yesterday.',
  ],
  temporal_attributes_missing: [
    'warning',
    'Start the worker, which registers them, or run `temporal operator search-attribute create`.',
  ],
  standalone_activities_missing: [
    'error',
    'Use Temporal server 1.32 or newer, or switch Standalone Activities on in 1.31: they deliver the webhooks.',
  ],
  sweep_missing: ['error', 'Start the worker, which schedules the sweep.'],
  sweep_paused: [
    'error',
    'Run `temporal schedule toggle --schedule-id sweep --unpause --reason resumed`, or what is overdue stays so.',
  ],
  sweep_late: [
    'error',
    "Start a worker, and look at the workflow `sweep` in Temporal's UI and the worker's log.",
  ],
  sweep_interval_differs: [
    'warning',
    'Give all workers the same SWEEP_SECONDS and restart them; the last one that started sets the schedule.',
  ],
  workers_missing: [
    'error',
    'Start a worker with the same TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE: nothing is settled or delivered without one.',
  ],
} as const satisfies Readonly<Record<string, Problem>>;
