import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { addJob, rowsWritten } from './outbox/outbox.ts';
import { currentRequestId, newRequestId, requestIdIn, requestIdOf, runForRequest } from './request-id.ts';

test('the id of a request is short and can be read out', () => {
  expect(newRequestId()).toMatch(/^[0-9A-HJKMNP-TV-Z]{12}$/);
  expect(new Set(Array.from({ length: 1000 }, newRequestId)).size).toBe(1000);
});

test('an id that a proxy gave is kept, and one that could break a log or a header is replaced', () => {
  const uuid = '018f4c3e-7a51-7c0a-9d3e-0d3c3a1b2c4d';
  expect(requestIdOf(uuid)).toBe(uuid);
  for (const given of [
    '',
    'short',
    'x'.repeat(65),
    'a b c d e f',
    'abcdefgh\n',
    '{"a":"bcdef"}',
    [uuid, uuid],
    undefined,
  ])
    expect(requestIdOf(given)).toMatch(/^[0-9A-Z]{12}$/);
});

test('work started by a request carries its id, also after waiting, and other work carries none', async () => {
  const em = () => ({ persist: () => {}, create: (_entity: unknown, row: unknown) => row }) as never;
  const [inRequest, outside, within] = [em(), em(), em()];
  await runForRequest('7K3M9QXD2F4T', async () => {
    await setImmediate();
    addJob(inRequest, 'fire-rate-alerts', {});
    // What a request happens to wake is not of it.
    runForRequest(null, () => addJob(within, 'fire-rate-alerts', {}));
  });
  addJob(outside, 'fire-rate-alerts', {});
  expect(rowsWritten(inRequest)[0]?.data).toEqual({ requestId: '7K3M9QXD2F4T' });
  expect([outside, within].map((each) => rowsWritten(each)[0]?.data)).toEqual([{}, {}]);
  expect(runForRequest(requestIdIn(rowsWritten(inRequest)[0]?.data), currentRequestId)).toBe('7K3M9QXD2F4T');
  expect(runForRequest(requestIdIn(rowsWritten(outside)[0]?.data), currentRequestId)).toBeUndefined();
});
