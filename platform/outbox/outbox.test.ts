import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { addJob } from './outbox.ts';

describe('a job key', () => {
  test.each(['a:b', ':', '123', ''])('%j is refused, since queues would', async (key) => {
    const em = { persist: vi.fn(), create: vi.fn() };
    const asking = () => addJob(em as never, 'expire-payment', { transferId: randomUUID() }, { key });
    expect(asking).toThrow(RangeError);
    expect(em.persist).not.toHaveBeenCalled();
  });
});
