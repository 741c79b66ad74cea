import { createServer, type ServerResponse } from 'node:http';
import type { Database } from '#platform/database/database';
import { listen } from '#platform/http/listen';
import type { WorkerLifecycle } from './worker.module.ts';

/**
 * Probes for an orchestrator: `GET /live` (the process answers) and `GET /ready` (the database is reachable and every
 * queue is worked on). Says only up or down: a driver's message names hosts.
 */
export async function serveHealth(
  port: number,
  database: Pick<Database, 'fork'>,
  lifecycle: Pick<WorkerLifecycle, 'stoppedQueues'>,
): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return answer(response, 405, { status: 'error' });
    if (request.url === '/live') return answer(response, 200, { status: 'ok' });
    if (request.url === '/ready') return void readiness().then(([status, body]) => answer(response, status, body));
    answer(response, 404, { status: 'error' });
  });

  async function readiness(): Promise<[number, object]> {
    const stopped = lifecycle.stoppedQueues();
    const reachable = await database
      .fork()
      .execute('select 1')
      .then(() => true)
      .catch(() => false);
    const ready = reachable && stopped.length === 0;
    const details = {
      database: { status: reachable ? 'up' : 'down' },
      queues: { status: stopped.length === 0 ? 'up' : 'down', stopped },
    };
    return [ready ? 200 : 503, { status: ready ? 'ok' : 'error', details }];
  }

  return listen(server, { port });
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}
