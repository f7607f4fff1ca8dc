import { describe, expect, it } from 'vitest';
import { parseRanges } from '../../outbound/address.ts';
import { MAX_URL_LENGTH } from '../../domain/endpoint.ts';
import {
  checkDescription,
  checkEvents,
  checkUrl,
  requireEnabled,
  requireEndpoint,
} from '../../operations/checks.ts';
import { refusalOf, useGround } from './endpoints.ts';

const ground = await useGround('webhooks_checks');

describe('checkEvents', () => {
  it('accepts a list with commas and spaces', () => {
    expect(checkEvents('payment.*, refund.failed,*')).toEqual(['payment.*', 'refund.failed', '*']);
  });

  it.each(['', 'payment.made', 'payment', 'payment.*,', 'PAYMENT.*', '*.completed'])(
    'refuses "%s"',
    async (list) => {
      const ask = async () => checkEvents(list, 'type');
      expect(await refusalOf(ask())).toEqual(['parameter_invalid', 'type']);
    },
  );
});

describe('checkEvents of an unknown type', () => {
  it('lists the types in the message', () => {
    expect(() => checkEvents('payment.made')).toThrow('payment.completed, payment.attempt_failed');
  });
});

describe('checkDescription', () => {
  it('accepts 255 characters, and refuses 256', async () => {
    expect(checkDescription('x'.repeat(255))).toHaveLength(255);
    const ask = Promise.resolve('x'.repeat(256)).then(checkDescription);
    expect(await refusalOf(ask)).toEqual(['parameter_invalid', 'description']);
  });
});

describe('card numbers', () => {
  it('are refused in descriptions and URLs', async () => {
    const text = Promise.resolve('card 4242/4242/4242/4242').then(checkDescription);
    expect(await refusalOf(text)).toEqual(['card_number_refused', 'description']);
    for (const end of ['4242424242424242', '?n=4242%204242%204242%204242']) {
      const url = checkUrl(`https://93.184.215.14/${end}`, []);
      expect(await refusalOf(url)).toEqual(['card_number_refused', 'url']);
    }
  });
});

describe('checkUrl', () => {
  const opened = parseRanges(['10.1.0.0/16']);

  it.each([
    'http://10.0.0.1/',
    'http://localhost:8080/',
    'https://user@93.184.215.14/',
    'ftp://93.184.215.14/',
    'shop',
    `https://93.184.215.14/${'x'.repeat(MAX_URL_LENGTH)}`,
  ])('refuses %.60s', async (url) => {
    expect(await refusalOf(checkUrl(url, opened))).toEqual(['url_invalid', 'url']);
  });

  it('returns the normal form of the URL, in opened ranges too', async () => {
    expect(await checkUrl('http://10.1.2.3:9000', opened)).toBe('http://10.1.2.3:9000/');
    expect(await checkUrl('HTTPS://93.184.215.14/a b', opened)).toBe('https://93.184.215.14/a%20b');
  });

  it('accepts a host name that cannot be resolved yet', async () => {
    const url = 'https://hooks.nowhere.invalid/';
    expect(await checkUrl(url, opened)).toBe(url);
  });
});

describe('requireEndpoint and requireEnabled', () => {
  it('return the stored endpoint', async () => {
    const { shown: _, ...enabled } = await ground.endpoint();
    expect(await requireEndpoint(ground.services, enabled._id)).toEqual(enabled);
    expect(await requireEnabled(ground.services, enabled._id)).toEqual(enabled);
  });

  it('refuse a deleted or unknown endpoint, and requireEnabled also a disabled one', async () => {
    const deleted = await ground.endpoint({ status: 'deleted' });
    for (const id of [deleted._id, 'we_1', '']) {
      expect(await refusalOf(requireEndpoint(ground.services, id))).toEqual([
        'resource_missing',
        'id',
      ]);
    }
    const { _id } = await ground.endpoint({ status: 'disabled' });
    expect(await requireEndpoint(ground.services, _id)).toMatchObject({ _id });
    expect(await refusalOf(requireEnabled(ground.services, _id))).toEqual([
      'parameter_invalid',
      'id',
    ]);
  });
});
