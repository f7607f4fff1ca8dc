import { describe, expect, it } from 'vitest';
import { composeTrace, isSameTrace, parseTrace, partsOf } from '../../domain/trace.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN_ID = '00f067aa0ba902b7';
const VALID = `00-${TRACE_ID}-${SPAN_ID}-01`;

describe('parseTrace', () => {
  const malformed: [string, unknown][] = [
    ['no header', undefined],
    ['an empty header', ''],
    ['two headers', `${VALID}, ${VALID}`],
    ['an array', [VALID]],
    ['the forbidden version', VALID.replace('00-', 'ff-')],
    ['a version that is no number', VALID.replace('00-', 'xy-')],
    ['a version of one digit', VALID.slice(1)],
    ['upper case', VALID.toUpperCase()],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-${SPAN_ID}-01`],
    ['a span id of zeros', `00-${TRACE_ID}-${'0'.repeat(16)}-01`],
    ['a trace id that is too short', `00-${TRACE_ID.slice(1)}-${SPAN_ID}-01`],
    ['a trace id that is too long', `00-${TRACE_ID}a-${SPAN_ID}-01`],
    ['a span id that is too short', `00-${TRACE_ID}-${SPAN_ID.slice(1)}-01`],
    ['a trace id with another letter', `00-${TRACE_ID.replace('4', 'g')}-${SPAN_ID}-01`],
    ['a trace id with a Greek letter', `00-${TRACE_ID.replace('4', 'α')}-${SPAN_ID}-01`],
    ['no flags', `00-${TRACE_ID}-${SPAN_ID}`],
    ['flags of one digit', `00-${TRACE_ID}-${SPAN_ID}-1`],
    ['more parts than version 00 has', `${VALID}-extra`],
    ['a hyphen at the end', `${VALID}-`],
    ['a space before', ` ${VALID}`],
    ['a space after', `${VALID} `],
    ['a line break', `${VALID}\r\nX-Injected: 1`],
    ['an underscore', VALID.replaceAll('-', '_')],
    ['braces', `{${VALID}}`],
    ['a later version without a hyphen', `01-${TRACE_ID}-${SPAN_ID}-01extra`],
    ['a later version that is very long', `01-${TRACE_ID}-${SPAN_ID}-01-${'x'.repeat(10_000)}`],
  ];
  it.each(malformed)('ignores %s', (_, header) => {
    expect(parseTrace(header, 'shop=1')).toBeUndefined();
  });

  it('accepts version 00', () => {
    expect(parseTrace(VALID)).toEqual({ traceparent: VALID });
  });

  it('reads a later version as version 00', () => {
    expect(parseTrace(VALID.replace('00-', 'cc-'))).toEqual({ traceparent: VALID });
    expect(parseTrace(`cc-${TRACE_ID}-${SPAN_ID}-01-more`)).toEqual({ traceparent: VALID });
  });

  it.each([
    ['00', '00'],
    ['01', '01'],
    ['03', '03'],
    ['ff', '03'],
    ['fc', '00'],
  ])('passes on only the defined ones of the flags %s', (given, kept) => {
    const trace = parseTrace(`00-${TRACE_ID}-${SPAN_ID}-${given}`);
    expect(trace).toEqual({ traceparent: `00-${TRACE_ID}-${SPAN_ID}-${kept}` });
  });

  it.each([
    'shop=1',
    'shop=1,rojo=00f067aa0ba902b7',
    'tenant@vendor=a b c , other=!',
    ',shop=1,',
    Array.from({ length: 32 }, (_, index) => `k${index}=v`).join(','),
    `shop=${'x'.repeat(256)}`,
  ])('keeps the tracestate %s unchanged', (tracestate) => {
    expect(parseTrace(VALID, tracestate)).toEqual({ traceparent: VALID, tracestate });
  });

  it.each([
    [undefined],
    [''],
    [', ,'],
    ['shop'],
    ['=1'],
    ['Shop=1'],
    ['shop=1=2'],
    ['shop=1\r\nX-Injected: 1'],
    ['shop=ü'],
    ['shop=1,shop'],
    [Array.from({ length: 33 }, (_, index) => `k${index}=v`).join(',')],
    [`shop=${'x'.repeat(257)}`],
    [Array.from({ length: 3 }, (_, index) => `k${index}=${'x'.repeat(200)}`).join(',')],
  ])('drops the tracestate %s, but keeps the trace', (tracestate) => {
    expect(parseTrace(VALID, tracestate)).toEqual({ traceparent: VALID });
  });
});

describe('composeTrace', () => {
  it('reverses partsOf', () => {
    expect(composeTrace(partsOf({ traceparent: VALID }))).toEqual({ traceparent: VALID });
  });
});

describe('isSameTrace', () => {
  it('compares only the ids of the traces', () => {
    const other = `00-${TRACE_ID}-${'1'.repeat(16)}-00`;
    expect(isSameTrace({ traceparent: VALID }, { traceparent: other })).toBe(true);
    const another = `00-${'1'.repeat(32)}-${SPAN_ID}-01`;
    expect(isSameTrace({ traceparent: VALID }, { traceparent: another })).toBe(false);
  });
});
