import { expect, test } from 'vitest';
import { sweeps } from '#core/contracts/jobs';
import type { JobContext } from '#domain/job-context';
import { runJob } from './handlers.ts';

test('what one sweep fails at keeps no other from looking', async () => {
  const away = () => {
    throw new Error('the database is away');
  };
  const database = new Proxy({}, { get: () => away });
  const context = { database, now: () => new Date(), sweepEveryMs: 30_000 } as unknown as JobContext;
  const failure = await runJob(context, { name: 'sweep-all', data: {} }).catch((error: AggregateError) => error);
  expect(failure).toMatchObject({ errors: sweeps.map(() => expect.any(Error)) });
});
