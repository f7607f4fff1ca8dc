import { describe, expect, it } from 'vitest';
import { PREFIXES, firstIdAt, isId } from '../../domain/id.ts';
import type { IdKind } from '../../domain/id.ts';
import { isToken, mintId, mintToken } from '../../store/mint.ts';

describe('mintId', () => {
  it.each(Object.keys(PREFIXES) as IdKind[])('returns ids of the form of a %s', (kind) => {
    expect(isId(kind, mintId(kind))).toBe(true);
  });

  it('returns ids that sort by creation, even within a millisecond', () => {
    const ids = Array.from({ length: 5_000 }, () => mintId('payment'));
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('returns ids that contain the time', () => {
    const before = Date.now();
    const id = mintId('event');
    expect(id >= firstIdAt('event', before)).toBe(true);
    expect(id < firstIdAt('event', Date.now() + 2)).toBe(true);
  });
});

describe('mintToken', () => {
  it('returns 43 other characters each time', () => {
    const tokens = Array.from({ length: 1_000 }, mintToken);
    for (const token of tokens) expect(token).toMatch(/^[\w-]{43}$/);
    expect(new Set(tokens).size).toBe(tokens.length);
  });
});

describe('isToken', () => {
  it('accepts minted tokens, and no text of another form', () => {
    const token = mintToken();
    expect(isToken(token)).toBe(true);
    const others = ['', token.slice(1), `${token}x`, `${token.slice(1)}!`, `${token}\n`];
    expect(others.filter(isToken)).toEqual([]);
  });
});
