import { expect, it } from 'vitest';
import { Fuzz } from '../testing/fuzz.ts';

it('random requests cause no server error, reveal no foreign data, and change nothing when rejected', async () => {
  const fuzz = await Fuzz.open();
  try {
    // Another seed and more of them: `npm run fuzz`.
    await fuzz.run(20261123, 500);
    expect(fuzz.report.problems).toEqual([]);
    expect(fuzz.report.requests).toBe(500);
    expect(fuzz.report.invalid).toBeGreaterThan(100);
    expect(fuzz.report.succeeded.size).toBeGreaterThan(40);
  } finally {
    await fuzz.close();
  }
}, 120_000);
