import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { noteWritten, rowsWritten } from './outbox/outbox.ts';
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

test('what a request asks for carries its id, also after waiting, and what nobody asked for carries none', async () => {
  const row = () => ({ kind: 'job', name: 'sync-payment', data: { transferId: 't' } }) as never;
  const inRequest = {} as never;
  const outside = {} as never;
  await runForRequest('7K3M9QXD2F4T', async () => {
    await setImmediate();
    noteWritten(inRequest, [row()]);
  });
  noteWritten(outside, [row()]);
  expect(rowsWritten(inRequest)[0]?.data).toEqual({ transferId: 't', requestId: '7K3M9QXD2F4T' });
  expect(rowsWritten(outside)[0]?.data).toEqual({ transferId: 't' });
  expect(runForRequest(requestIdIn(rowsWritten(inRequest)[0]?.data), currentRequestId)).toBe('7K3M9QXD2F4T');
  expect(runForRequest(requestIdIn(rowsWritten(outside)[0]?.data), currentRequestId)).toBeUndefined();
});
