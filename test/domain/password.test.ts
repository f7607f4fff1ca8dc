import { describe, expect, it } from 'vitest';
import { isCommonPassword } from '../../domain/password.ts';

describe('isCommonPassword', () => {
  it.each(['password1234', 'Password1234', 'password-1234!', '1qaz2wsx3edc', 'Qwerty 123456'])(
    'finds %s',
    (password) => {
      expect(isCommonPassword(password)).toBe(true);
    },
  );

  it.each(['111111111111', 'abababababab', '         123', 'ааааааааааааа'])(
    'finds a pattern of few characters: %j',
    (password) => {
      expect(isCommonPassword(password)).toBe(true);
    },
  );

  it.each(['correct horse battery', 'password1234 tea', 'թեյ և գիրք ամսին', 'чай и книги вдвоём'])(
    'leaves %s',
    (password) => {
      expect(isCommonPassword(password)).toBe(false);
    },
  );
});
