import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { closeQueues, openQueues, openWorker } from './queues.ts';

const message = (type: string, body: Buffer) => {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
// "You are in", "what shall I do?" and "I am stopping", as PostgreSQL sends them.
const welcome = message('R', Buffer.alloc(4));
const ready = message('Z', Buffer.from('I'));
const stopping = message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'));

// An error that nobody hears ends a process; Vitest counts it as a failure of the run.
test('a server that stops while a connection is opened is trouble that is told, and ends no process', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(Buffer.concat([welcome, ready, stopping])));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const env = { databaseUrl: `postgresql://chasqui@127.0.0.1:${port}/chasqui`, redisUrl: undefined };

  const queues = openQueues(env, () => {});
  await expect(queues.payouts.add('pay-out', {})).rejects.toThrow();
  const worker = openWorker(env, 'payouts', async () => {}, { concurrency: 1 });
  const [told] = (await once(worker, 'error')) as [Error];
  expect(told).toBeInstanceOf(Error);

  worker.on('error', () => {});
  await worker.close(true);
  await closeQueues(queues);
  server.close();
});
