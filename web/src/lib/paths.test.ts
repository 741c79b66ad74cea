import { expect, it } from 'vitest';
import { destinationOf, loginLeadingTo } from './paths.ts';

const nextOf = (address: string) => destinationOf(new URLSearchParams(address.split('?')[1]));

it('the login leads back to the page that asked for the session', () => {
  expect(nextOf(loginLeadingTo('/admin?tab=users'))).toBe('/admin?tab=users');
});

it.each(['//evil.example', '/\\evil.example', 'https://evil.example', '', 'dashboard'])(
  'the login never leaves for %j',
  (next) => {
    expect(destinationOf(new URLSearchParams({ next }))).toBe('/dashboard');
  },
);
