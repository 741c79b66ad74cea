import { expect, test } from 'vitest';
import { z } from 'zod';
import { jobs, queueNames } from './jobs.ts';
import { liveEvents, pushes } from './live.ts';

const carriers = [...Object.entries(jobs).map(([name, job]) => [name, job.data] as const), ...Object.entries(pushes)];

test.each(carriers)('the job %s carries ids only, and the number of the job of its row', (_, data) => {
  for (const [field, schema] of Object.entries<z.ZodType>(data.shape)) {
    if (field === 'dispatch') continue;
    expect(field).toMatch(/^id$|Id$/);
    expect(schema.safeParse(17).success).toBe(false);
  }
});

test.each(carriers)('the job %s drops fields that it does not carry', (_, data) => {
  const ids = {
    id: 'evt_1',
    dispatch: 1,
    transferId: 'f81d4fae-7dec-41d0-a765-00a0c91e6bf6',
    orderId: 'f81d4fae-7dec-41d0-a765-00a0c91e6bf8',
    runId: 'f81d4fae-7dec-41d0-a765-00a0c91e6bf7',
    alertId: 'f81d4fae-7dec-41d0-a765-00a0c91e6bf9',
    recipientId: 'f81d4fae-7dec-41d0-a765-00a0c91e6bfe',
    userId: 'f81d4fae-7dec-41d0-a765-00a0c91e6bfd',
    resetId: 'f81d4fae-7dec-41d0-a765-00a0c91e6bfa',
    changeId: '17',
    caseId: 'f81d4fae-7dec-41d0-a765-00a0c91e6bfb',
    exceptionId: 'f81d4fae-7dec-41d0-a765-00a0c91e6bfc',
    complaintId: '3e0f6f5e-2b1b-4d0c-8a55-0f5f4f1c2d33',
  };
  const parsed = data.parse({ ...ids, clientSecret: 'secret', amount: 1 });
  expect(Object.keys(parsed)).toEqual(Object.keys(data.shape));
});

test('every job belongs to a queue, and queue names fit both back ends', () => {
  expect(new Set(queueNames)).toEqual(new Set(Object.values(jobs).map((job) => job.queue)));
  for (const name of [...queueNames, ...Object.keys(jobs)]) expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
});

test('the payload of every live event converts to JSON Schema', () => {
  for (const [name, payload] of Object.entries(liveEvents)) {
    expect(name).toMatch(/^[a-z-]+:[a-z-]+$/);
    expect(z.toJSONSchema(payload)).toBeTypeOf('object');
  }
});
