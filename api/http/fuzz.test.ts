import { expect, it } from 'vitest';
import { Fuzz } from '../testing/fuzz.ts';

it('random requests get no server error and nobody else’s data, and change nothing where they are refused', async () => {
  const fuzz = await Fuzz.open();
  try {
    // Another seed and more of them: `npm run fuzz`.
    await fuzz.run(20261123, 2_000);
    expect(fuzz.report.problems).toEqual([]);
    expect(fuzz.report.requests).toBe(2_000);
    expect(fuzz.report.invalid).toBeGreaterThan(400);
    expect(fuzz.report.succeeded.size).toBeGreaterThan(60);
  } finally {
    await fuzz.close();
  }
}, 120_000);
