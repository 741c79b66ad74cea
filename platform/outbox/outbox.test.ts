import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { addJob, addPush, rowsWritten } from './outbox.ts';

describe('a job key', () => {
  test.each(['a:b', ':', '123', ''])('%j is refused, since queues would', async (key) => {
    const em = { persist: vi.fn(), create: vi.fn() };
    const asking = () => addJob(em as never, 'expire-payment', { transferId: randomUUID() }, { key });
    expect(asking).toThrow(RangeError);
    expect(em.persist).not.toHaveBeenCalled();
  });
});

test('a transaction is known by the rows it wrote', () => {
  const em = () => ({ persist: vi.fn(), create: vi.fn((_entity, row) => row) }) as never;
  const [none, job, both] = [em(), em(), em()];
  addJob(job, 'fire-rate-alerts', {});
  addJob(both, 'fire-rate-alerts', {});
  addPush(both, 'rate-changed', {});
  const names = [none, job, both].map((one) => rowsWritten(one).map(({ kind, name }) => [kind, name]));
  expect(names).toEqual([
    [],
    [['job', 'fire-rate-alerts']],
    [
      ['job', 'fire-rate-alerts'],
      ['push', 'rate-changed'],
    ],
  ]);
});
