import { describe, inject } from 'vitest';
import { startQueueServices } from '../infra/testing/redis.ts';
import { testMoneyPath } from './money-path-fixture.ts';
import { busySweeps, useApp } from './test-app.ts';

describe.skipIf(inject('services').redis.kind === 'none')('with the queues in Redis', () => {
  testMoneyPath(useApp({ services: () => startQueueServices(true), env: busySweeps }));
});
