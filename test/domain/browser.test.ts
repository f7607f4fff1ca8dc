import { describe, expect, it } from 'vitest';
import { browserOf } from '../../domain/browser.ts';

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
const LINUX = 'Mozilla/5.0 (X11; Linux x86_64)';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)';
const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0';

describe('browserOf', () => {
  it.each([
    [`${LINUX} ${CHROME} Safari/537.36`, 'Chrome, Linux'],
    [`${WINDOWS} ${CHROME} Safari/537.36 Edg/140.0.0.0`, 'Edge, Windows'],
    [
      `${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15`,
      'Safari, macOS',
    ],
    [`${IPHONE} AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1`, 'Safari, iPhone'],
    [`${IPHONE} AppleWebKit/605.1.15 CriOS/140.0 Mobile/15E148 Safari/604.1`, 'Chrome, iPhone'],
    [`Mozilla/5.0 (Linux; Android 15) ${CHROME} Mobile Safari/537.36`, 'Chrome, Android'],
    [`${WINDOWS} Gecko/20100101 Firefox/140.0`, 'Firefox, Windows'],
    [`${WINDOWS} ${CHROME} YaBrowser/25.6 Safari/537.36`, 'Yandex, Windows'],
    [LINUX, 'Linux'],
    ['curl/8.5.0', ''],
    ['<script>alert(1)</script>', ''],
    ['', ''],
  ])('of %s is %s', (userAgent, expected) => {
    expect(browserOf(userAgent)).toBe(expected);
  });
});
