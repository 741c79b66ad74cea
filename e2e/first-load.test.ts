import { expect, test } from 'vitest';
import { firstLoadBytes, firstLoadBytesMax } from '../infra/first-load.ts';

test('a visitor’s first page needs few scripts', async () => {
  const bytes = await firstLoadBytes('home');
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThanOrEqual(firstLoadBytesMax);
});
