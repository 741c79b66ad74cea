import { appRoutes } from '@bull-board/api/dist/routes.js';
import { describe, expect, test } from 'vitest';
import { queueNames, queues } from '#core/contracts/jobs';
import { readBoardCall } from './board-calls.ts';

/** Every call of the dashboard that changes something, as this version of it has them. */
const changing = appRoutes.api.flatMap(({ method, route }) =>
  [method]
    .flat()
    .flatMap((one) => (one === 'get' ? [] : [route].flat().map((path) => [one.toUpperCase(), path] as const))),
);
const fill = (route: string, queue: string) =>
  route
    .replace(':queueName', queue)
    .replace(':jobId', 'send-email-17-1')
    .replace(':queueStatus', 'failed')
    .replace(':schedulerId', 'sweeps');

const answerTo = (method: string, route: string, queue: string): string => {
  try {
    return readBoardCall(method, fill(route, queue)).action;
  } catch (error) {
    return (error as Error).message;
  }
};

/** What each of them comes to on a queue of money, and on any other. */
const expected: Readonly<Record<string, readonly [string, string]>> = {
  'PUT /api/queues/pause': ['pause', 'pause'],
  'PUT /api/queues/resume': ['resume', 'resume'],
  'PUT /api/queues/:queueName/pause': ['pause', 'pause'],
  'PUT /api/queues/:queueName/resume': ['resume', 'resume'],
  'PUT /api/queues/:queueName/:jobId/retry': ['retry', 'retry'],
  'PUT /api/queues/:queueName/retry/:queueStatus': ['retry_all', 'retry_all'],
  'PUT /api/queues/:queueName/job-schedulers/:schedulerId/run': ['forward', 'forward'],
  'PUT /api/queues/:queueName/empty': ['money_queue', 'forward'],
  'PUT /api/queues/:queueName/obliterate': ['money_queue', 'forward'],
  'PUT /api/queues/:queueName/clean/:queueStatus': ['money_queue', 'forward'],
  'PUT /api/queues/:queueName/:jobId/clean': ['money_queue', 'forward'],
  'PUT /api/queues/:queueName/promote': ['money_queue', 'forward'],
  'PUT /api/queues/:queueName/:jobId/promote': ['money_queue', 'forward'],
  'PUT /api/queues/:queueName/concurrency': ['money_queue', 'forward'],
  'PUT /api/queues/:queueName/rate-limit': ['money_queue', 'forward'],
  'PUT /api/queues/:queueName/rate-limit/release': ['money_queue', 'forward'],
};
const refused = ['jobs_not_editable', 'jobs_not_editable'] as const;

describe('a call of the dashboard that changes something', () => {
  test.each(changing)('%s %s is allowed depending on the queue', (method, route) => {
    for (const queue of queueNames) {
      const [ofMoney, ofOthers] = expected[`${method} ${route}`] ?? refused;
      expect([queue, answerTo(method, route, queue)]).toEqual([queue, queues[queue].money ? ofMoney : ofOthers]);
    }
  });

  test.each([
    // Express takes these for the same routes.
    '/api/Queues/payouts/EMPTY',
    '/api/queues/payouts/empty/',
    '/API/queues/payouts/obliterate',
    '/api/queues/payouts%2Fempty',
    '/api/queues//payouts/empty',
    '/api/queues/%E0%A4%A/empty',
    '/api/queues/unknown/pause',
    '/',
  ])('is refused where its path is written otherwise: %s', (path) => {
    expect(() => readBoardCall('PUT', path)).toThrow(/jobs_not_editable|money_queue/);
  });

  test('retries no jobs but failed ones', () => {
    expect(() => readBoardCall('PUT', '/api/queues/emails/retry/completed')).toThrow('job_not_failed');
  });
});
