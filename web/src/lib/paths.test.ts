import { expect, it } from 'vitest';
import { showLanguage } from './language.ts';
import { destinationOf, loginLeadingTo, paths, publicPathIn } from './paths.ts';

const nextOf = (address: string) => destinationOf(new URLSearchParams(address.split('?')[1]));

it('the login leads back to the page that asked for the session', () => {
  expect(nextOf(loginLeadingTo('/admin?tab=users'))).toBe('/admin?tab=users');
});

it.each([
  ...['//evil.example', '///evil.example', '/\\evil.example', '//', 'https://evil.example', '', 'dashboard'],
  ...['/\t/evil.example', '/\n/evil.example', '/\r\\evil.example', '\t//evil.example', ' //evil.example', '/a\u0000'],
  ...['javascript:alert(1)', '/\u0085/evil.example', '//user@evil.example/', '/\\/evil.example'],
])('the login never leaves for %j', (next) => {
  expect(destinationOf(new URLSearchParams({ next }))).toBe('/dashboard');
});

it('a public page has an address in each language, others have one', () => {
  expect([publicPathIn('en', '/'), publicPathIn('en', '/Login/'), publicPathIn('en', '/en/terms')]).toEqual([
    '/en',
    '/en/login',
    '/en/terms',
  ]);
  expect([publicPathIn('es', '/en'), publicPathIn('es', '/en/ayuda'), publicPathIn('es', '/')]).toEqual([
    '/',
    '/ayuda',
    '/',
  ]);
  expect([
    publicPathIn('en', '/dashboard'),
    publicPathIn('es', '/en/dashboard'),
    publicPathIn('en', '/english'),
  ]).toEqual([null, null, null]);
});

it('on an English page the addresses of public pages are the English ones', () => {
  showLanguage('en');
  expect([paths.home, paths.homeFaq, paths.signup, loginLeadingTo('/dashboard'), paths.dashboard]).toEqual([
    '/en',
    '/en#faq',
    '/en/login?signup=true',
    '/en/login?next=%2Fdashboard',
    '/dashboard',
  ]);
});
