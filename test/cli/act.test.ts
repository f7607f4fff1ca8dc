import { describe, expect, it } from 'vitest';
import { faultOf } from '../../cli/act.ts';
import { bodyOf } from '../../cli/complain.ts';
import { ConfigError } from '../../config.ts';

describe('faultOf', () => {
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  it.each<[string, Error, string, string]>([
    ['configuration', new ConfigError('API_PORT'), 'invalid_request', 'parameter_invalid'],
    ['an unavailable server', away, 'api', 'unavailable'],
    [
      'an unavailable server as the cause',
      new Error('Nothing answers', { cause: away }),
      'api',
      'unavailable',
    ],
    ['a fault of ours', new Error('Oh'), 'api', 'internal_error'],
  ])('returns the error for programs: %s', (_, error, type, code) => {
    expect(bodyOf(faultOf(error))).toEqual({
      error: { type, code, message: error.message, param: null },
    });
  });
});
