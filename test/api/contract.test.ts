import { describe, expect, it } from 'vitest';
import { requireConformance } from './contract.ts';
import type { Answered } from './contract.ts';

const LIST = '{"object":"list","url":"/v1/currencies","has_more":false,"data":[]}';

function answered({ status = 200, text = LIST, headers = {} } = {}): Answered {
  const all = {
    'Content-Type': 'application/json; charset=utf-8',
    'Request-Id': 'req_01M7Z5HQQ2S5T1BV3JP91DVMSE',
    'RateLimit-Policy': '"default";q=200;w=2',
    RateLimit: '"default";r=199;t=2',
    ...headers,
  };
  return { status, text, headers: new Headers(all) };
}

const check = (answer: Answered) => () => requireConformance('GET', '/v1/currencies', answer);

describe('requireConformance', () => {
  it('accepts a documented response', () => {
    expect(check(answered())).not.toThrow();
  });

  it('accepts any response from a path that is not documented', () => {
    const answer = answered({ status: 418, text: 'no tea' });
    expect(() => requireConformance('GET', '/teapot', answer)).not.toThrow();
  });

  it.each([
    ['a status', { status: 418 }, 'listCurrencies returned 418, which is not documented'],
    ['a content type', { headers: { 'Content-Type': 'text/plain' } }, 'as text/plain'],
    ['an additional property', { text: LIST.replace('{', '{"a":1,') }, 'additional properties'],
    ['a missing property', { text: LIST.replace('"has_more":false,', '') }, "property 'has_more'"],
    ['a wrong value', { text: LIST.replace('false', '"no"') }, 'body/has_more must be boolean'],
    ['a header of another form', { headers: { RateLimit: '5' } }, 'with RateLimit: 5'],
  ])('refuses %s that is not documented', (_, what, message) => {
    expect(check(answered(what))).toThrow(message);
  });

  it('refuses a response without a required header', () => {
    const answer = answered();
    answer.headers.delete('request-id');
    expect(check(answer)).toThrow('without Request-Id');
  });
});
