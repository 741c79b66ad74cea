import { describe, expect, it } from 'vitest';
import { SecretCookie } from './secret-cookie.ts';

const secret = 'aB3_-'.repeat(8).concat('xyz');

describe('a secret cookie', () => {
  it('a secret cookie has the prefix __Host- with https and is not read under its plain name there', () => {
    const cookie = new SecretCookie('session', 'https://chasqui.example');
    expect(cookie.name).toBe('__Host-session');
    expect(cookie.read(`a=1; __Host-session=${secret}; b=2`)).toBe(secret);
    expect(cookie.read(`session=${secret}`)).toBeNull();
  });

  it('a secret cookie has its plain name with http, where browsers refuse the prefix', () => {
    expect(new SecretCookie('session', 'http://localhost:3000').read(`session=${secret}`)).toBe(secret);
  });

  it.each([undefined, '', 'session', 'session=', 'session=short', `session=${secret}x`, `xsession=${secret}`])(
    'a secret cookie is not read from %j',
    (header) => {
      expect(new SecretCookie('session', 'http://localhost:3000').read(header)).toBeNull();
    },
  );
});
