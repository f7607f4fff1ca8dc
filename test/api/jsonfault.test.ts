import { describe, expect, it } from 'vitest';
import { explainJson } from '../../api/jsonfault.ts';

const at = (place: string): string => `The request body is not valid JSON at ${place}: `;

describe('explainJson', () => {
  it.each([
    ['{"a":1,}', 'line 1, column 8: a comma precedes a closing bracket'],
    ['{\n  "a": 1,\n}', 'line 3, column 1: a comma precedes a closing bracket'],
    ['{"a":[1,\r\n]}', 'line 2, column 1: a comma precedes a closing bracket'],
    ["{'a':1}", 'line 1, column 2: a quote is not a double quote'],
    ['{“a”:1}', 'line 1, column 2: a quote is not a double quote'],
    ['{a:1}', 'line 1, column 2: a name, text or word is not JSON'],
    ['{1:1}', 'line 1, column 2: a name is expected'],
    ['{"a":1 // b\n}', 'line 1, column 8: a comment begins'],
    ['# b\n{}', 'line 1, column 1: a name, text or word is not JSON'],
    ['{"a":"b}', 'line 1, column 6: a text has no closing quote'],
    ['{"a":"b\n"}', 'line 1, column 6: a text has no closing quote'],
    ['{"a":1 "b":2}', 'line 1, column 8: a comma or a quote is missing'],
    ['{"a" 1}', 'line 1, column 6: a colon is missing'],
    ['{"a":}', 'line 1, column 6: a value is missing'],
    ['{"a":AMD}', 'line 1, column 6: a name, text or word is not JSON'],
    ['{"a":True}', 'line 1, column 6: a name, text or word is not JSON'],
    ['{"a":1.}', 'line 1, column 6: a number is not JSON'],
    ['{"a":"b\\x"}', 'line 1, column 6: a backslash escapes nothing'],
    ['{"a":"\\u12"}', 'line 1, column 6: an escape is not JSON'],
    ['{"a":"\t"}', 'line 1, column 6: a text has a control character'],
    ['{"a":1}}', 'line 1, column 8: something follows the end'],
    ['{"a":1', 'line 1, column 7: it ends too early'],
    ['[1', 'line 1, column 3: it ends too early'],
    ['{}{}', 'line 1, column 3: something follows the end'],
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

  it('of a text that is nested too deep for the parser is short', () => {
    expect(explainJson('['.repeat(64 * 1024))).toBe('The request body is not valid JSON.');
  });

  it('repeats nothing of the text', () => {
    for (const text of ['{"a":SECRET}', '{SECRET:1}', '{"a":"SECRET', "{'SECRET'}", 'SECRET=1']) {
      expect(explainJson(text)).not.toContain('SECRET');
    }
  });
});
