import { describe, expect, it } from 'vitest';
import { bodyOf, readReceiver } from '../../cli/access.ts';
import { ConfigError } from '../../config/config.ts';

describe('readReceiver', () => {
  it.each([
    ['9000', 'http://127.0.0.1:9000/'],
    ['9000/hooks?a=1', 'http://127.0.0.1:9000/hooks?a=1'],
    ['localhost:9000/hooks', 'http://localhost:9000/hooks'],
    ['10.0.0.1:9000', 'http://10.0.0.1:9000/'],
    ['3com.example/hooks', 'http://3com.example/hooks'],
    ['https://shop.example/1', 'https://shop.example/1'],
  ])('takes %s for %s', (text, address) => {
    expect(readReceiver(text, 'url').href).toBe(address);
  });

  it.each(['', '70000', 'ftp://shop.example/', 'a b'])('refuses %j', (text) => {
    expect(() => readReceiver(text, 'url')).toThrow('is no http or https address');
  });
});

describe('bodyOf', () => {
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  it.each<[string, Error, string, string]>([
    ['configuration', new ConfigError('API_PORT'), 'invalid_request', 'parameter_invalid'],
    ['a server that is away', away, 'api', 'unavailable'],
    [
      'the same in other words',
      new Error('Nothing answers', { cause: away }),
      'api',
      'unavailable',
    ],
    ['a fault of ours', new Error('Oh'), 'api', 'internal_error'],
  ])('tells programs of %s', (_, error, type, code) => {
    expect(bodyOf(error)).toEqual({ error: { type, code, message: error.message, param: null } });
  });
});
