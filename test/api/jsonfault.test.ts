import { assert, json, nat, property, string, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explainJson } from '../../api/jsonfault.ts';

const at = (place: string): string => `The request body is not valid JSON at ${place}: `;

describe('explainJson', () => {
  it.each([
    ['{"a":1,}', 'line 1, column 7: a comma precedes a closing bracket'],
    ['{\n  "a": 1,\n}', 'line 2, column 9: a comma precedes a closing bracket'],
    ['{"a":[1,\r\n]}', 'line 1, column 8: a comma precedes a closing bracket'],
    ["{'a':1}", 'line 1, column 2: a quote is not a double quote'],
    ['{“a”:1}', 'line 1, column 2: a quote is not a double quote'],
    ['{"😀":\'b\'}', 'line 1, column 6: a quote is not a double quote'],
    ['{a:1}', 'line 1, column 2: a name has no quotes'],
    ['{1:1}', 'line 1, column 2: a name is expected'],
    ['{"a":1 // b\n}', 'line 1, column 8: a comment begins'],
    ['# b\n{}', 'line 1, column 1: a comment begins'],
    ['{"a":"b}', 'line 1, column 6: a text has no closing quote'],
    ['{"a":"b\n"}', 'line 1, column 6: a text has no closing quote'],
    ['{"a:1}', 'line 1, column 2: a text has no closing quote'],
    ['{"a":"b, "c":"d"}', 'line 1, column 11: a comma or a quote is missing'],
    ['{"a":1 "b":2}', 'line 1, column 8: a comma or a quote is missing'],
    ['{"a" 1}', 'line 1, column 6: a colon is missing'],
    ['{"a"=1}', 'line 1, column 5: a colon is missing'],
    ['{"a":}', 'line 1, column 6: a value is missing'],
    ['{"a":,"b":1}', 'line 1, column 6: a value is missing'],
    ['{"a":1,,"b":1}', 'line 1, column 8: there is a comma too many'],
    ['{"a":AMD}', 'line 1, column 6: a text has no quotes'],
    ['{"a":True}', 'line 1, column 6: a word is not JSON'],
    ['{"a":NaN}', 'line 1, column 6: a word is not JSON'],
    ['{"a":0100}', 'line 1, column 6: a number is not JSON'],
    ['{"a":+1}', 'line 1, column 6: a number is not JSON'],
    ['{"a":"b\\x"}', 'line 1, column 8: a backslash escapes nothing'],
    ['{"a":"\t"}', 'line 1, column 7: a text has a tab or control character'],
    ['{"a":[1}', 'line 1, column 8: a closing bracket does not fit'],
    ['{"a":1}}', 'line 1, column 8: a closing bracket does not fit'],
    ['{"a":1', 'line 1, column 7: it ends too early'],
    ['{"a":', 'line 1, column 6: it ends too early'],
    ['{}{}', 'line 1, column 3: something follows the end'],
    ['{\u00a0"a":1}', 'line 1, column 2: there is a space that JSON does not allow'],
    ['\ufeff{}', 'line 1, column 1: there is a byte order mark'],
    ['{\0"\0', 'line 1, column 2: there is a NUL character'],
    ['amount=12500&currency=AMD', 'line 1, column 1: it is form data'],
  ])('of %j names the place and the cause', (text, rest) => {
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
    const message = explainJson(text);
    expect(message.slice(0, at(rest).length - 2)).toBe(at(rest).slice(0, -2));
    expect(message.split(/[.!?](?: |$)/).filter(Boolean)).toHaveLength(2);
  });

  it.each(['', ' \r\n\t'])('of %j says that it is empty', (text) => {
    expect(explainJson(text)).toBe('The request body is empty. Send a JSON object.');
  });

  it('of a text with more parts than any valid body is short', () => {
    expect(explainJson('['.repeat(64 * 1024))).toBe('The request body is not valid JSON.');
  });

  it('finds a fault if and only if the text is not JSON', () => {
    const damaged = tuple(json({ maxDepth: 4 }), nat(), string({ maxLength: 2 }), nat(2)).map(
      ([whole, index, part, cut]) => {
        const place = index % (whole.length + 1);
        return whole.slice(0, place) + part + whole.slice(place + cut);
      },
    );
    assert(
      property(damaged, (text) => {
        const isFound = explainJson(text) !== 'The request body is not valid JSON.';
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        expect([text, isFound]).toEqual([text, !isJson]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('repeats nothing of the text', () => {
    for (const text of ['{"a":SECRET}', '{SECRET:1}', '{"a":"SECRET', "{'SECRET'}", 'SECRET=1']) {
      expect(explainJson(text)).not.toContain('SECRET');
    }
  });
});
