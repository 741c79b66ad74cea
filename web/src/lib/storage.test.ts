import { expect, test } from 'vitest';
import { safeStorage } from './storage.ts';

const refused = () => {
  throw new DOMException('The operation is insecure.', 'SecurityError');
};

test.each([
  ['refuses', refused],
  ['is missing, as in a web view', () => null],
])('a blocked browser storage keeps values for as long as the page lasts (it %s)', (_, open) => {
  const store = safeStorage(open);
  expect(store.blocked).toBe(true);
  expect(store.getItem('token')).toBeNull();
  store.setItem('token', 'abc');
  expect(store.getItem('token')).toBe('abc');
  store.removeItem('token');
  expect(store.getItem('token')).toBeNull();
});

test('a full browser storage keeps the newest value in memory', () => {
  const entries = new Map([['token', 'old']]);
  let full = true;
  const store = safeStorage(
    () =>
      ({
        getItem: (key: string) => entries.get(key) ?? null,
        setItem: (key: string, value: string) => (full ? refused() : entries.set(key, value)),
        removeItem: (key: string) => entries.delete(key),
      }) as unknown as Storage,
  );
  expect(store.blocked).toBe(false);
  store.setItem('token', 'new');
  expect(store.getItem('token')).toBe('new');
  full = false;
  store.setItem('token', 'newer');
  expect(store.getItem('token')).toBe('newer');
  expect(entries.get('token')).toBe('newer');
});
