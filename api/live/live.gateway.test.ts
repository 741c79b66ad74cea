import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { Server } from 'socket.io';
import { io } from 'socket.io-client';
import { afterEach, describe, expect, it } from 'vitest';
import type { AdminRole } from '#core/accounts/admin-roles';
import type { Person, Sessions } from '../access/sessions.ts';
import { LiveGateway } from './live.gateway.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const personWith = (adminRole: AdminRole | null) => {
  const user = { id: 'u1', role: adminRole ? 'admin' : 'user', adminRole };
  return { sessionId: 's1', expiresAt: new Date(Date.now() + 60_000), user } as Person;
};

/** A browser connects; the session is looked up once by its cookie to recognize it, and once more by its id when it has joined. */
async function connect(...lookups: (Person | null)[]) {
  const next = async () => lookups.shift() ?? null;
  const { server, url } = await start({ find: next, findAgain: next });
  const socket = io(url, { transports: ['websocket'], reconnection: false, forceNew: true });
  closers.push(() => socket.disconnect());
  return { server, socket, lookups };
}

async function start(sessions: Record<'find' | 'findAgain', () => Promise<Person | null>>) {
  const http = createServer();
  const server = new Server(http);
  new LiveGateway(sessions as unknown as Sessions, pino({ level: 'silent' })).afterInit(server);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  return { server, url: `http://127.0.0.1:${(http.address() as AddressInfo).port}` };
}

describe('a live connection', () => {
  it.each([
    ['whose session ends', null],
    ['whose person stops being an admin', personWith(null)],
    ['whose person has another role', personWith('support')],
  ])('a live connection %s while it is being opened is closed', async (_what, then) => {
    const { server, socket } = await connect(personWith('owner'), then);
    await new Promise((resolve) => socket.once('disconnect', resolve));
    await expect.poll(() => server.sockets.adapter.rooms.get('admins')?.size ?? 0).toBe(0);
  });

  it('a live connection stays in its rooms while its session is unchanged', async () => {
    const { server, socket, lookups } = await connect(personWith('owner'), personWith('owner'));
    await expect.poll(() => lookups).toEqual([]);
    await new Promise((resolve) => (socket.connected ? resolve(null) : socket.once('connect', () => resolve(null))));
    expect(server.sockets.adapter.rooms.get('admins')?.size).toBe(1);
    expect(server.sockets.adapter.rooms.get('session:s1')?.size).toBe(1);
  });

  it('a live connection of support does not join the room with unmasked personal data', async () => {
    const { server } = await connect(personWith('support'), personWith('support'));
    await expect.poll(() => server.sockets.adapter.rooms.get('support')?.size).toBe(1);
    expect(server.sockets.adapter.rooms.has('admins')).toBe(false);
  });

  it('a live connection that asks thousands of times in one request is looked up twice at most, and hung up on', async () => {
    let found = 0;
    const find = async () => {
      found += 1;
      return null;
    };
    const { url, server } = await start({ find, findAgain: find });
    const handshake = await (await fetch(`${url}/socket.io/?EIO=4&transport=polling`)).text();
    const { sid } = JSON.parse(handshake.slice(1));
    const connection = `${url}/socket.io/?EIO=4&transport=polling&sid=${sid}`;
    await fetch(connection, { method: 'POST', body: Array(5_000).fill('40').join('\x1e') });
    await expect.poll(() => server.engine.clientsCount).toBe(0);
    expect(found).toBeLessThanOrEqual(2);
    expect((await fetch(connection)).status).toBe(400);
  });
});
