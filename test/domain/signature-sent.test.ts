import { describe, expect, it } from '@jest/globals';
import { signatureHeaders } from '../../activities/sign.ts';
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

  it.each([
    [1, 'later'],
    [-300, 'earlier'],
  ])('finds a clock that is %d s away', (seconds, side) => {
    const computed = [service({ message: `${Number(TIMESTAMP) + seconds}.${BODY}` })];
    const { findings } = explain({ computed });
    expect(findings[0]).toMatchObject({ code: 'timestamp_clock', kind: 'mistake' });
    expect(findings[0]?.says).toContain(`${Math.abs(seconds)} s ${side}`);
  });

  it('looks no further than receivers may be away', () => {
    const computed = [service({ message: `${Number(TIMESTAMP) + 301}.${BODY}` })];
    expect(codes(explain({ computed }))).toEqual(['unexplained']);
  });
});
