import { describe, expect, it } from 'vitest';
import { PREFIXES, firstIdAt, isId } from '../../domain/id.ts';
import type { IdKind } from '../../domain/id.ts';
import { isToken, mintId, mintToken } from '../../store/mint.ts';

describe('mintId', () => {
  it.each(Object.keys(PREFIXES) as IdKind[])('makes ids of the form of a %s', (kind) => {
    expect(isId(kind, mintId(kind))).toBe(true);
  });

  it('makes ids that sort in the order they were made, within a millisecond too', () => {
    const ids = Array.from({ length: 5_000 }, () => mintId('payment'));
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('makes ids that hold the time', () => {
    const before = Date.now();
    const id = mintId('event');
    expect(id >= firstIdAt('event', before)).toBe(true);
    expect(id < firstIdAt('event', Date.now() + 2)).toBe(true);
  });
});

describe('mintToken', () => {
  it('is 43 characters for an address, each time others', () => {
    const tokens = Array.from({ length: 1_000 }, mintToken);
    for (const token of tokens) expect(token).toMatch(/^[\w-]{43}$/);
    expect(new Set(tokens).size).toBe(tokens.length);
  });
});

describe('isToken', () => {
  it('takes the tokens that are minted, and no text of another form', () => {
    const token = mintToken();
    expect(isToken(token)).toBe(true);
    const others = ['', token.slice(1), `${token}x`, `${token.slice(1)}!`, `${token}\n`];
    expect(others.filter(isToken)).toEqual([]);
  });
});
