import { expect, test } from 'vitest';
import { firstLoadBytes, firstLoadBytesMax } from '../infra/first-load.ts';

test.each(['home', 'landing2'])('a visitor’s first page needs few scripts: %s', async (page) => {
  const bytes = await firstLoadBytes(page);
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThanOrEqual(firstLoadBytesMax);
});
