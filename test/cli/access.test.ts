import { describe, expect, it } from 'vitest';
import { readReceiver } from '../../cli/access.ts';

describe('readReceiver', () => {
  it.each([
    ['9000', 'http://127.0.0.1:9000/'],
    ['9000/hooks?a=1', 'http://127.0.0.1:9000/hooks?a=1'],
    ['localhost:9000/hooks', 'http://localhost:9000/hooks'],
    ['10.0.0.1:9000', 'http://10.0.0.1:9000/'],
    ['3com.example/hooks', 'http://3com.example/hooks'],
    ['https://shop.example/1', 'https://shop.example/1'],
  ])('reads %s as %s', (text, address) => {
    expect(readReceiver(text, 'url').href).toBe(address);
  });

  it.each(['', '70000', 'ftp://shop.example/', 'a b'])('refuses %j', (text) => {
    expect(() => readReceiver(text, 'url')).toThrow('is not an http or https address');
  });
});
