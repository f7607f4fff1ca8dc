import { describe, expect, it } from 'vitest';
import { functionsOf, importsOf, parametersOf } from './source.ts';

const read = (path: string, text: string) => ({ path, text, lines: text.split('\n') });
const body = (lines: number, indent = '  '): string => `${indent}step();\n`.repeat(lines);

describe('importsOf', () => {
  it.each([
    ["import { a } from './a.ts';", 'api/a.ts', true, false],
    ["import {\n  a,\n  b,\n} from '../domain/b.ts';", 'domain/b.ts', true, false],
    ["import type { A } from '../temporal.ts';", 'temporal.ts', true, true],
    ["import { type A, type B } from '../temporal.ts';", 'temporal.ts', true, true],
    ["import { type A, b } from '../temporal.ts';", 'temporal.ts', true, false],
    ["export { a } from './a.ts';", 'api/a.ts', true, false],
    ["export * from './a.ts';", 'api/a.ts', true, false],
    ["import './a.ts';", 'api/a.ts', true, false],
    ["const a = await import('./a.ts');", 'api/a.ts', true, false],
    ["import Ajv from 'ajv/dist/2020.js';", 'ajv', false, false],
    ["import { Client } from '@temporalio/client/lib';", '@temporalio/client', false, false],
    ["import { sleep } from 'node:timers/promises';", 'node:timers/promises', false, false],
  ])('reads %j', (text, target, isOurs, isTypeOnly) => {
    expect(importsOf(read('api/x.ts', text))).toEqual([{ target, isOurs, isTypeOnly }]);
  });

  it.each(["// import './a.ts';", "const text = 'from here';", "/** @type {import('./x.ts')} */"])(
    'ignores %j',
    (text) => expect(importsOf(read('api/x.ts', text))).toEqual([]),
  );
});

describe('functionsOf', () => {
  it.each([
    ['function a() {', '}'],
    ['export async function a(\n  b: B,\n): Promise<{ c: C }> {', '}'],
    ['export function a(\n  b: B,\n  { c }: { c: C },\n): D {', '}'],
    ['const a = async (b: B): Promise<void> => {', '};'],
    ['  async a() {', '  }'],
    ['  private a(\n    b: B,\n  ): void {', '  }'],
  ])('counts the lines of %j', (head, end) => {
    const indent = head.startsWith(' ') ? '    ' : '  ';
    const found = functionsOf(read('x.ts', `${head}\n${body(10, indent)}${end}\n`));
    const ownLines = head.split('\n').length + 11;
    expect(found).toEqual([{ name: 'a', line: 1, ownLines }]);
  });

  it('counts inner functions separately', () => {
    const inner = `  function inner() {\n${body(5, '    ')}  }\n`;
    const text = `function outer() {\n${body(2)}${inner}${body(2)}}\n`;
    const sizes = functionsOf(read('x.ts', text)).map(({ name, ownLines }) => [name, ownLines]);
    expect(sizes).toEqual([
      ['outer', 6],
      ['inner', 7],
    ]);
  });

  it.each(['if (a) {\n  b();\n}', '  for (const a of b) {\n    c();\n  }', 'a(\n  b,\n);'])(
    'ignores %j',
    (text) => expect(functionsOf(read('x.ts', text))).toEqual([]),
  );
});

describe('parametersOf', () => {
  it.each([
    ['function a() {}', 0],
    ['function a(b: B) {}', 1],
    ['export async function a<T, U>(b: Map<T, U>, c: (d: D, e: E) => F) {}', 2],
    ['function a({ b, c }: { b: B; c: C }, d = [1, 2]) {}', 2],
    ['export function a(\n  b: B,\n  c: C,\n  d: D,\n  e: E,\n): F {}', 4],
  ])('counts the parameters of %j', (text, count) => {
    expect(parametersOf(read('x.ts', text))).toEqual([{ name: 'a', count }]);
  });
});
