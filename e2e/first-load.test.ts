import { expect, test } from 'vitest';
import { budgets, firstLoad } from '../infra/first-load.ts';

test.each(Object.entries(budgets))(
  'the first scripts of %s stay within their budget of bytes and requests',
  async (path, budget) => {
    const { bytes, requests } = await firstLoad(path);
    expect(requests).toBeGreaterThan(3);
    expect({ path, bytes: bytes <= budget.bytes || bytes, requests: requests <= budget.requests || requests }).toEqual({
      path,
      bytes: true,
      requests: true,
    });
  },
);
