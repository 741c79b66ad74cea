import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { fuzzRequestCount, soakSeed } from '../../infra/testing/soak.ts';
import { Fuzz, type FuzzReport } from '../testing/fuzz.ts';

// `npm run fuzz`: as api/http/fuzz.test.ts, with another seed each time and many more requests.

/**
 * Maximum growth of the heap, in bytes, between the first fifth of the requests and the end: one-time caches are filled
 * by then.
 */
const maxGrowth = 24 * 2 ** 20;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heapUsed(): number {
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

it('random requests cause no server error, reveal no foreign data, change nothing when rejected, and leak no memory', async () => {
  const fuzz = await Fuzz.open();
  try {
    const startedAt = performance.now();
    const first = Math.ceil(fuzzRequestCount / 5);
    await fuzz.run(soakSeed, first);
    const before = heapUsed();
    await fuzz.run(soakSeed + first, fuzzRequestCount - first);
    const after = heapUsed();
    const { report } = fuzz;
    console.log(textOf(report, { before, after, seconds: (performance.now() - startedAt) / 1000 }));
    expect(report.problems).toEqual([]);
    expect(after - before).toBeLessThan(maxGrowth);
  } finally {
    await fuzz.close();
  }
});

function textOf(report: FuzzReport, run: { before: number; after: number; seconds: number }): string {
  const { requests, statuses, succeeded, refused, invalid, slowestMs, slowest } = report;
  const byStatus = [...statuses].sort(([one], [other]) => one - other).map(([status, count]) => `${status}: ${count}`);
  const never = [...refused.keys()].filter((name) => !succeeded.has(name));
  const megabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MB`;
  return [
    `seed ${soakSeed}: ${requests} requests in ${run.seconds.toFixed(0)} s, ${invalid} of them against the contract`,
    `statuses: ${byStatus.join(', ')}`,
    `endpoints: ${new Set([...succeeded.keys(), ...refused.keys()]).size}, of which ${succeeded.size} succeeded; never: ${never.join(', ')}`,
    `slowest answer: ${slowestMs.toFixed(0)} ms (${slowest.slice(0, 200)})`,
    `heap after a full collection: ${megabytes(run.before)} after a fifth, ${megabytes(run.after)} at the end; resident ${megabytes(process.memoryUsage().rss)}`,
    `problems: ${report.problems.length}`,
  ].join('\n');
}
