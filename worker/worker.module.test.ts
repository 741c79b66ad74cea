import { expect, test } from 'vitest';
import { WorkerModule, type WorkerParts } from './worker.module.ts';

test('no part of the worker replaces another one, for of two with one token only the last is made', async () => {
  const parts = { context: {}, connection: {}, live: {} } as WorkerParts;
  const { providers = [] } = WorkerModule.register(parts);
  const tokens = providers.map((one) => (typeof one === 'function' ? one : one.provide));
  expect(tokens.filter((token, index) => tokens.indexOf(token) !== index)).toEqual([]);
});
