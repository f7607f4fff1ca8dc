import { describe, expect, it } from 'vitest';
import { CATALOGUE } from '../../operations/refusal.ts';
import { REMEDIES } from '../../docs/errors.tsx';

describe('REMEDIES', () => {
  it('cover exactly the errors of the catalogue', () => {
    expect(Object.keys(REMEDIES).toSorted()).toEqual(Object.keys(CATALOGUE).toSorted());
  });

  it.each(Object.entries(REMEDIES))('%s has a whole sentence', (_, remedy) => {
    expect(remedy).toMatch(/^[A-Z].{15,}\.$/);
  });
});
