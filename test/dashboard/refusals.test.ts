import { describe, expect, it } from 'vitest';
import { CODES } from '../../dashboard/refusals/codes.ts';
import { REASONS } from '../../dashboard/refusals/reasons.ts';
import { translateRefusal } from '../../dashboard/refusals/translate.ts';
import { CATALOGUE, Refusal } from '../../operations/refusal.ts';
import type { ErrorCode } from '../../operations/refusal.ts';
import { readSources } from '../tidy/source.ts';
import { openGround } from './harness.ts';

const SCRIPTS = { hy: /\p{Script=Armenian}/u, ru: /\p{Script=Cyrillic}/u } as const;
const ALL = Object.keys(CATALOGUE) as ErrorCode[];

const labelOf = (param: string): string | undefined => (param === 'role' ? 'Роль' : undefined);
const messageIn = (refusal: Refusal, locale: 'en' | 'hy' | 'ru') =>
  translateRefusal(refusal, { locale, labelOf }).errors[0]?.message;

const valuesIn = (text: string) => text.split('{}').length - 1;

describe('translateRefusal', () => {
  it.each(ALL)('has a text of its own for %s in Armenian and Russian', (code) => {
    for (const locale of ['hy', 'ru'] as const) {
      const message = messageIn(new Refusal(code), locale);
      expect(message).toBe(CODES[code][locale]);
      expect(message).toMatch(SCRIPTS[locale]);
      expect(ALL.filter((each) => CODES[each][locale] === message)).toEqual([code]);
    }
  });

  it('keeps the code, the parameter, the headers and the English message', () => {
    const headers = { 'Retry-After': '5' };
    const refusal = new Refusal('too_many_requests', { headers, param: 'code' });
    const translated = translateRefusal(refusal, { locale: 'ru', labelOf });
    expect(translated).toBeInstanceOf(Refusal);
    expect(translated.headers).toEqual(headers);
    expect(translated.errors[0]).toMatchObject({ param: 'code', code: 'too_many_requests' });
    expect(messageIn(refusal, 'en')).toBe(CATALOGUE.too_many_requests.message);
  });

  it('repeats the values of a message', () => {
    const refusal = Refusal.ofParam('password', 'A password has 12 to 200 characters.');
    expect(messageIn(refusal, 'ru')).toBe('Длина пароля: от 12 до 200 символов.');
    expect(messageIn(refusal, 'hy')).toBe('Գաղտնաբառը պետք է ունենա 12-ից 200 նիշ։');
  });

  it('names the field of a message without a translation', () => {
    const refusal = Refusal.ofParam('role', 'The role must be one of: owner, support.');
    expect(messageIn(refusal, 'ru')).toBe('Роль. Это значение не допускается.');
  });

  it('keeps a message that is in the language already', () => {
    expect(messageIn(Refusal.ofParam('to', 'Дата не найдена.'), 'ru')).toBe('Дата не найдена.');
  });

  it('translates all errors of a refusal', () => {
    const error = { param: null, message: '' } as const;
    const refusal = Refusal.ofFields([
      { ...error, code: 'url_invalid' },
      { ...error, code: 'amount_too_small' },
    ]);
    const { errors } = translateRefusal(refusal, { locale: 'ru', labelOf });
    expect(errors.map(({ message }) => message)).toEqual([
      CODES.url_invalid.ru,
      CODES.amount_too_small.ru,
    ]);
  });
});

describe('the translated messages', () => {
  /** All code outside of the tables, with `{}` for each value and without breaks of lines. */
  const code = readSources()
    .filter(({ path }) => /^(?:operations|outbound|dashboard)\//.test(path))
    .filter(({ path }) => !path.includes('refusals/'))
    .map(({ text }) => text.replaceAll(/\$\{[^}]*\}/g, '{}').replaceAll(/(['`]) \+\n\s*\1/g, ''))
    .join('\n');

  it.each(REASONS.map(({ en }) => en))('are thrown somewhere: %s', (en) => {
    const parts = en.split(/(?<=[.]) /);
    expect(parts.filter((part) => !code.includes(part))).toEqual([]);
  });

  it('have as many values as in English', () => {
    const wrong = REASONS.filter(({ en, hy, ru }) =>
      [hy, ru].some((text) => valuesIn(text) > valuesIn(en)),
    );
    expect(wrong).toEqual([]);
  });
});

const ground = await openGround('dashboard-refusals');

describe('a refused form', () => {
  it('says why in the language of the user', async () => {
    const browser = await ground.signIn('owner');
    await browser.post('/account/language', { locale: 'ru' });
    const { status, html } = await browser.post('/team', { email: 'no', role: 'support' });
    expect(status).toBe(422);
    expect(html).toContain('<a href="#email">Адрес эл. почты недействителен.</a>');
    expect(html).not.toContain('not valid');
  });

  it('says why a URL is not allowed', async () => {
    const browser = await ground.signIn('owner');
    await browser.post('/account/language', { locale: 'ru' });
    const reasons = [
      ['ftp://shop.example/', 'http или https'],
      ['https://user:word@shop.example/', 'имени пользователя'],
      ['https://sh op.example/', 'http или https'],
      ['https://shop!.example/', 'Имя хоста'],
      ['https://shop.example:25/', 'Порт 25 '],
      ['https://10.0.0.1/', 'не является общедоступным'],
      ['https://db.internal/', 'не является общедоступным'],
    ] as const;
    for (const [url, reason] of reasons) {
      const { status, html } = await browser.post('/webhooks', { url, events: ['*'] });
      expect([url, status]).toEqual([url, 422]);
      expect(html).toMatch(new RegExp(`<a href="#url">[^<]*${reason}`));
    }
  });

  it('says why in the language of a stranger’s browser', async () => {
    const form = { email: 'a@b.example', password: 'no' };
    const headers = { 'Accept-Language': 'hy' };
    const { status, html } = await ground.browse().post('/sign-in', form, headers);
    expect(status).toBe(422);
    expect(html).toContain('Էլ. փոստի հասցեն կամ գաղտնաբառը սխալ է։');
  });
});
