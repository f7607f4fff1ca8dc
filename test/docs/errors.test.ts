import { describe, expect, it } from 'vitest';
import { CATALOGUE } from '../../operations/refusal.ts';
import { REMEDIES } from '../../docs/errors.tsx';

describe('REMEDIES', () => {
  it('say of every error of the catalogue what to do, and of no other', () => {
    expect(Object.keys(REMEDIES).toSorted()).toEqual(Object.keys(CATALOGUE).toSorted());
  });

  it.each(Object.entries(REMEDIES))('%s has a sentence for a person', (_, remedy) => {
    expect(remedy).toMatch(/^[A-Z].{15,}\.$/);
  });
});
