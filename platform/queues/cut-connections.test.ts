import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { openTestQueues } from '../testing/queues.ts';

const message = (type: string, body: Buffer) => {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
// AuthenticationOk, ReadyForQuery and an admin shutdown, as PostgreSQL sends them.
const authenticated = message('R', Buffer.alloc(4));
const ready = message('Z', Buffer.from('I'));
const stopping = message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'));

// An 'error' event without a listener ends a process; Vitest counts it as a failure of the run.
test('a PostgreSQL server that stops while a connection is opened causes an error event and ends no process', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(Buffer.concat([authenticated, ready, stopping])));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const backend = { databaseUrl: `postgresql://chasqui@127.0.0.1:${port}/chasqui`, redisUrl: undefined };

  const opened = await openTestQueues(backend);
  await expect(opened.queues.payouts.add('run-payout', {})).rejects.toThrow();
  const worker = opened.work('payouts', async () => {});
  const [error] = (await once(worker, 'error')) as [Error];
  expect(error).toBeInstanceOf(Error);

  await worker.close(true);
  await opened.close();
  server.close();
});
