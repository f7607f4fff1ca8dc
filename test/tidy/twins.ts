/** Files and folders without a twin test, each with the test that covers it and the reason. */

interface Twin {
  readonly test: string;
  readonly reason: string;
}

export const TWINS: Readonly<Record<string, Twin>> = {
  'workflows/messages.ts': {
    test: 'test/workflows/payment.test.ts',
    reason: 'only names and types that both sides of a workflow share',
  },
  'workflows/turns.ts': {
    test: 'test/workflows/replay.test.ts',
    reason: 'the loop of refunds and replays, without which neither ends',
  },
  'workflows/index.ts': {
    test: 'test/workflows/histories.test.ts',
    reason: 'the list of workflows; a bundle without one of them replays nothing',
  },
  'activities/index.ts': {
    test: 'test/activities/repeat.test.ts',
    reason: 'puts the activities together for the workers',
  },
  'activities/tracing.ts': {
    test: 'test/tracing/export.test.ts',
    reason: 'the spans of activities and runs, seen by a collector',
  },
  'workflows/tracing.ts': {
    test: 'test/tracing/export.test.ts',
    reason: 'passes traces on, which a collector sees; the histories show that it changes nothing',
  },
  'activities/start.ts': {
    test: 'test/activities/crowding.test.ts',
    reason: 'starts deliveries, which the gate may turn away',
  },
  'domain/url.ts': {
    test: 'test/api/webaddress.test.ts',
    reason: 'hosts in every alphabet, as merchants give them',
  },
  'domain/check.ts': {
    test: 'test/check/examine.test.ts',
    reason: 'only names and types of what a check finds',
  },
  'domain/sweep.ts': {
    test: 'test/activities/sweep.test.ts',
    reason: 'only two durations of the sweep',
  },
  'api/app.ts': {
    test: 'test/api/routes.test.ts',
    reason: 'puts the middleware together; every test of a route goes through it',
  },
  'api/call.ts': {
    test: 'test/api/failures.test.ts',
    reason: 'the types between a handler and its caller',
  },
  'api/currencies.ts': {
    test: 'test/api/routes.test.ts',
    reason: 'one call of domain/wire.ts, whose twin checks the table',
  },
  'api/health.ts': {
    test: 'test/api/routes.test.ts',
    reason: 'two routes without authentication',
  },
  'api/json.ts': {
    test: 'test/api/body.test.ts',
    reason: 'the rules for a body, tested through the API',
  },
  'api/metadata.ts': {
    test: 'test/api/schemas.test.ts',
    reason: 'a part of two schemas',
  },
  'api/objects/': {
    test: 'test/api/objects.test.ts',
    reason: 'one schema for each object; the test compares them with objects and types',
  },
  'api/reference/': {
    test: 'test/api/openapi.test.ts',
    reason: 'the parts of the OpenAPI document, which is tested as a whole',
  },
  'api/unrouted.ts': {
    test: 'test/api/routes.test.ts',
    reason: 'the refusal of requests that no route takes',
  },
  'api/time.ts': {
    test: 'test/api/payments.test.ts',
    reason: 'the form of a time, which expires_at and created_at share',
  },
  'api/validate.ts': {
    test: 'test/api/schemas.test.ts',
    reason: 'maps errors of a schema to codes of the catalogue',
  },
  'http/assets.ts': {
    test: 'test/checkout/pages.test.ts',
    reason: 'the files of pages, as the checkout sends them',
  },
  'http/violation.ts': {
    test: 'test/checkout/reports.test.ts',
    reason: 'what is kept of a report, as the checkout logs it',
  },
  'http/pages.ts': {
    test: 'test/checkout/errors.test.ts',
    reason: 'the headers and errors of pages, as the checkout sends them',
  },
  'store/codes.ts': {
    test: 'test/store/attempts.test.ts',
    reason: 'one conditional write on an attempt, in the table of all of them',
  },
  'store/files.ts': {
    test: 'test/checkout/assets.test.ts',
    reason: 'one write and one read, with which two versions serve the files of each other',
  },
  'store/logos.ts': {
    test: 'test/operations/logo.test.ts',
    reason: 'one write and one read, which only the operations and the checkout use',
  },
  'http/limits.ts': {
    test: 'test/http/refuse.test.ts',
    reason: 'only numbers, which the tests override',
  },
  'operations/advance-payment.ts': {
    test: 'test/api/advance.test.ts',
    reason: 'the time machine of test mode, as the API offers it',
  },
  'operations/cancel-payment.ts': {
    test: 'test/api/cancel.test.ts',
    reason: 'canceling, as the API offers it',
  },
  'operations/change-payment.ts': {
    test: 'test/api/cancel.test.ts',
    reason: 'shared by canceling and the test outcome',
  },
  'operations/create-payment.ts': {
    test: 'test/api/payments.test.ts',
    reason: 'creating a payment, as the API offers it',
  },
  'operations/decide-outcome.ts': {
    test: 'test/api/outcome.test.ts',
    reason: 'the test outcome, as the API offers it',
  },
  'operations/update-payment.ts': {
    test: 'test/api/update.test.ts',
    reason: 'changing a payment, as the API offers it',
  },
  'operations/idempotency.ts': {
    test: 'test/api/idempotency.test.ts',
    reason: 'one effect and one result for a key, as the API offers it',
  },
  'operations/refusal.ts': {
    test: 'test/api/errors.test.ts',
    reason: 'the error catalogue, as the API returns it',
  },
  'explain/forms.ts': {
    test: 'test/explain/signature.test.ts',
    reason: 'a table of the two forms, which is compared with the signer there',
  },
  'operations/merchant.ts': {
    test: 'test/cli/main.test.ts',
    reason: 'creating a merchant, as the command line offers it',
  },
  'operations/account.ts': {
    test: 'test/dashboard/staff/account.test.ts',
    reason: "a user's own account, as the dashboard offers it",
  },
  'store/passkeys.ts': {
    test: 'test/dashboard/staff/passkeys.test.ts',
    reason: 'conditional writes of passkeys, tested by what two do at once',
  },
  'operations/requirement.ts': {
    test: 'test/dashboard/staff/requirement.test.ts',
    reason: 'a second step for everybody, as the dashboard requires it',
  },
  'operations/second-step.ts': {
    test: 'test/dashboard/staff/second-step.test.ts',
    reason: 'codes and recovery codes, as the dashboard takes them',
  },
  'operations/team.ts': {
    test: 'test/dashboard/staff/team.test.ts',
    reason: 'invitations and roles, as the dashboard offers them',
  },
  'operations/services.ts': {
    test: 'test/operations/test-event.test.ts',
    reason: 'types, and the start of a delivery that a ping and a resend share',
  },
  'store/accounts.ts': {
    test: 'test/dashboard/staff/account.test.ts',
    reason: 'conditional writes of accounts, tested by what two do at once',
  },
  'store/sessions.ts': {
    test: 'test/dashboard/staff/sessions.test.ts',
    reason: 'the sessions of users, as browsers have them',
  },
  'store/users.ts': {
    test: 'test/dashboard/staff/team.test.ts',
    reason: 'users and invitations, tested by what two do at once',
  },
  'store/commands.ts': {
    test: 'test/metrics/dependencies.test.ts',
    reason: 'the duration of commands, as metrics have it',
  },
  'http/measure.ts': {
    test: 'test/metrics/requests.test.ts',
    reason: 'the requests of apps, as metrics count them',
  },
  'store/inspect.ts': {
    test: 'test/doctor/mongodb.test.ts',
    reason: 'facts about a server, as the doctor judges them',
  },
  'outbound/probe.ts': {
    test: 'test/doctor/receivers.test.ts',
    reason: 'a connection to a receiver, as the doctor judges it',
  },
  'store/rows.ts': {
    test: 'test/store/payments.test.ts',
    reason: 'only types of documents',
  },
};

/** Rooms that are tested through their program, with the folder of their tests. */
export const BY_PROGRAM: Readonly<Record<string, string>> = {
  'check/': 'test/check/',
  'demo/': 'test/demo/',
  'docs/': 'test/docs/',
  'doctor/': 'test/doctor/',
  'smoke/': 'test/smoke/',
  'verify/': 'test/verify/',
  'sdk/': 'test/sdk/',
  'embedded/': 'test/embedded/',
  'temporal/': 'test/temporal/',
  'config/': 'test/config/',
  'cli/': 'test/cli/',
  'checkout/': 'test/checkout/',
  'ui/': 'test/checkout/',
  'dashboard/': 'test/dashboard/',
  'metrics/': 'test/metrics/',
};

/** Rooms in which every file has a test of the same path. */
export const WITH_TWINS = [
  'domain/',
  'store/',
  'workflows/',
  'activities/',
  'outbound/',
  'http/',
  'api/',
  'operations/',
  'explain/',
];
