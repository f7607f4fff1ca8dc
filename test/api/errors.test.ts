import { describe, expect, it } from 'vitest';
import { CATALOGUE, Refusal } from '../../operations/refusal.ts';
import { renderError } from '../../api/errors.ts';

/** The whole table of the documentation. Another or a missing code changes the interface. */
const DOCUMENTED: Record<string, [number, string][]> = {
  invalid_request: [
    ...[
      'json_invalid',
      'parameter_missing',
      'parameter_invalid',
      'parameter_unknown',
      'amount_too_small',
      'amount_too_large',
      'currency_unsupported',
      'url_invalid',
      'locale_unsupported',
      'card_number_refused',
      'limit_out_of_range',
      'cursor_invalid',
      'idempotency_key_invalid',
      'refund_too_large',
    ].map((code): [number, string] => [400, code]),
    [404, 'resource_missing'],
    [404, 'route_missing'],
    [405, 'method_not_allowed'],
    [408, 'request_timeout'],
    [413, 'body_too_large'],
    [414, 'uri_too_long'],
    [415, 'content_type_unsupported'],
    [431, 'headers_too_large'],
  ],
  authentication: [
    [401, 'api_key_missing'],
    [401, 'api_key_invalid'],
    [401, 'api_key_revoked'],
  ],
  permission: [[403, 'live_mode_unavailable']],
  conflict: [
    [409, 'payment_state_invalid'],
    [409, 'payment_not_refundable'],
    [409, 'payment_already_refunded'],
    [409, 'refundable_changed'],
  ],
  idempotency: [[422, 'idempotency_key_reused']],
  rate_limit: [[429, 'too_many_requests']],
  api: [
    [500, 'internal_error'],
    [503, 'unavailable'],
  ],
};

describe('the error catalogue', () => {
  it('is as documented', () => {
    const documented = Object.entries(DOCUMENTED).flatMap(([type, rows]) =>
      rows.map(([status, code]) => `${status} ${type} ${code}`),
    );
    const catalogue = Object.entries(CATALOGUE).map(
      ([code, { status, type }]) => `${status} ${type} ${code}`,
    );
    expect(catalogue.toSorted()).toEqual(documented.toSorted());
  });

  it.each(Object.entries(CATALOGUE))('%s has a message for people', (_, { message }) => {
    expect(message).toMatch(/^[A-Z`a-z].+\.$/);
  });
});

describe('renderError', () => {
  const refusal = Refusal.ofFields([
    { param: 'amount', code: 'amount_too_small', message: 'Too small.' },
    { param: 'locale', code: 'locale_unsupported', message: 'Not ours.' },
  ]);
  const at = { apiUrl: 'https://api.example', requestId: 'req_1' };

  it('repeats the first error at the top', () => {
    const { status, contentType, text } = renderError(refusal, { ...at, problem: false });
    expect([status, contentType]).toEqual([400, 'application/json; charset=utf-8']);
    expect(JSON.parse(text)).toEqual({
      error: {
        type: 'invalid_request',
        code: 'amount_too_small',
        message: 'Too small.',
        param: 'amount',
        errors: refusal.errors,
        doc_url: 'https://api.example/docs#amount_too_small',
        request_id: 'req_1',
      },
    });
  });

  it('returns the same error in the form of RFC 9457', () => {
    const { contentType, text } = renderError(refusal, { ...at, problem: true });
    expect(contentType).toBe('application/problem+json');
    expect(JSON.parse(text)).toEqual({
      type: 'https://api.example/docs#amount_too_small',
      title: CATALOGUE.amount_too_small.message,
      status: 400,
      detail: 'Too small.',
      error_type: 'invalid_request',
      code: 'amount_too_small',
      param: 'amount',
      errors: refusal.errors,
      request_id: 'req_1',
    });
  });
});
