import { describe, expect, it } from 'vitest';
import { signatureHeaders } from '../../outbound/sign.ts';
import {
  BODY,
  ID,
  OLD,
  SECRET,
  STRANGERS,
  TIMESTAMP,
  codes,
  explain,
  service,
  standard,
} from './computed.ts';

const at = (timestamp: number, secret = SECRET) =>
  signatureHeaders({ id: ID, timestamp, body: BODY }, [secret]);
const lower = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

describe('explainSignature of what was sent', () => {
  const sent = lower(at(Number(TIMESTAMP), OLD));

  it('expects what was sent, and takes it for right without its secret', () => {
    const told = explain({ secrets: [], sent, computed: [service({ key: OLD })], given: sent });
    expect(told.headers.filter(({ fits }) => !fits)).toEqual([]);
    for (const { name, expected } of told.headers) expect(expected).toBe(sent[name]);
    expect(codes(told)).toEqual(['fits', 'fits']);
  });

  it('tells the one form from the other without the secret', () => {
    const given = { 'service-signature': sent['webhook-signature'] };
    expect(codes(explain({ secrets: [], sent, given }))).toEqual(['other_form']);
  });

  it('does not take what another secret gives for right', () => {
    const computed = [service({ key: STRANGERS })];
    expect(codes(explain({ secrets: [SECRET], sent, computed }))).toEqual(['unexplained']);
  });

  it('names whose secret it was', () => {
    const otherSecrets = [{ secret: STRANGERS, whose: 'the secret of we_1' }];
    const { findings } = explain({ otherSecrets, computed: [service({ key: STRANGERS })] });
    expect(findings[0]).toMatchObject({
      code: 'other_secret',
      says: 'It was made with the secret of we_1.',
    });
  });
});

describe('explainSignature of what was received and what was computed', () => {
  const received = { 'service-signature': service({ key: STRANGERS }) };
  const computed = [service({})];

  it('tells a right computation from a request that was signed otherwise', () => {
    const { findings } = explain({ given: received, computed });
    expect(findings).toMatchObject([
      { code: 'signed_otherwise', kind: 'mistake', about: 'service-signature' },
      { code: 'computed_rightly', kind: 'note', about: 'service-signature' },
    ]);
    expect(findings[0]?.says).toContain('another secret, or over another body');
    const inStandard = explain({ given: received, computed: [standard({})] });
    expect(codes(inStandard)).toEqual(['computed_rightly', 'signed_otherwise']);
  });

  it('names the secret where that is known', () => {
    const told = explain({ given: received, computed, otherSecrets: [STRANGERS] });
    expect(codes(told)).toEqual(['computed_rightly', 'other_secret']);
  });

  it('says of a request on record that what came is not what was sent', () => {
    const sent = lower(at(Number(TIMESTAMP)));
    const { findings } = explain({ given: received, computed, sent });
    expect(findings[0]?.says).toContain('is not what was sent');
  });

  it('says nothing of the kind while the computation is not right, or the request is', () => {
    const wrong = explain({ given: received, computed: [service({ key: '' })] });
    expect(codes(wrong)).toEqual(['key_empty', 'unexplained']);
    const right = { ...received, 'webhook-signature': standard({}) };
    expect(codes(explain({ given: right, computed }))).toEqual(['fits', 'fits', 'unexplained']);
  });
});

const shifted = (seconds: number) => `${Number(TIMESTAMP) + seconds}.${BODY}`;

describe('explainSignature of another time', () => {
  const later = Number(TIMESTAMP) + 7_200;
  const otherMoments = [{ timestamp: String(later), whose: 'attempt 2' }];

  it('knows the other attempts of the delivery, in both forms', () => {
    const { 'Service-Signature': own = '', 'webhook-signature': standards = '' } = at(later);
    for (const computed of [own, standards]) {
      const { findings } = explain({ otherMoments, computed: [computed] });
      expect(findings).toHaveLength(1);
      expect(findings[0]).toMatchObject({ code: 'other_attempt', kind: 'mistake' });
      expect(findings[0]?.says).toContain('the signature of attempt 2');
    }
    const unknown = standard({ message: `${ID}.${later + 400}.${BODY}` });
    expect(codes(explain({ otherMoments, computed: [unknown] }))).toEqual(['unexplained']);
  });

  it('takes the time of a header that it was given', () => {
    const given = { 'webhook-timestamp': String(later) };
    const message = JSON.stringify(JSON.parse(BODY), undefined, '\t');
    for (const [body, more] of [
      [BODY, []],
      [message, ['json_tabs']],
    ] as const) {
      const { findings } = explain({ given, computed: [service({ message: `${later}.${body}` })] });
      expect(findings.map(({ code }) => code)).toEqual(['timestamp_given', ...more]);
      expect(findings[0]?.says).toContain(`${later}, the time of the header webhook-timestamp`);
    }
  });

  it.each([
    [1, '1 s later'],
    [-300, '300 s earlier'],
    [3_600, '3600 s later'],
    [-3_600, '3600 s earlier'],
    [4 * 3_600 + 10, "14410 s later than the header's, some 4 hours"],
    [-(5.75 * 3_600) - 10, "20710 s earlier than the header's, some 5.75 hours"],
    [14 * 3_600, 'some 14 hours'],
  ])('finds a clock that is %d s away', (seconds, said) => {
    const { findings } = explain({ computed: [service({ message: shifted(seconds) })] });
    expect(findings).toMatchObject([{ code: 'timestamp_clock', kind: 'mistake' }]);
    expect(findings[0]?.says).toContain(said);
  });

  it.each([0.001, 4.321, 9.999])('finds a clock in milliseconds that is %d s late', (seconds) => {
    const ms = Number(TIMESTAMP) * 1_000 + seconds * 1_000;
    const { findings } = explain({ computed: [standard({ message: `${ID}.${ms}.${BODY}` })] });
    expect(findings).toMatchObject([{ code: 'timestamp_clock', about: 'webhook-signature' }]);
    expect(findings[0]?.says).toContain(`${seconds * 1_000} ms later`);
  });

  it('looks no further than it says', () => {
    const far = [4_000, 4 * 3_600 + 11, 14 * 3_600 + 11].map(shifted);
    const lateMs = `${Number(TIMESTAMP) * 1_000 + 10_000}.${BODY}`;
    for (const message of [...far, lateMs]) {
      expect(codes(explain({ computed: [service({ message })] }))).toEqual(['unexplained']);
    }
  });

  it('looks at fewer times of a large body, and always at those that receivers accept', () => {
    const body = JSON.stringify({ id: ID, text: 'x'.repeat(16_384) });
    const of = (seconds: number) => {
      const message = `${Number(TIMESTAMP) + seconds}.${body}`;
      return codes(explain({ body, computed: [service({ message })] }));
    };
    expect([of(-300), of(301)]).toEqual([
      ['timestamp_clock'],
      expect.arrayContaining(['unexplained']),
    ]);
  });
});
