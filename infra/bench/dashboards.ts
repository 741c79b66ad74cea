import { Agent } from 'node:http';
import { io, type Socket } from 'socket.io-client';
import { type Bench, settled } from './bench.ts';
import { type Figure, ofRounds } from './figure.ts';
import { connected } from './floors.ts';
import { inLanes, send, until } from './load.ts';

const dashboards = 5_000;
/** Connections that are made at once. */
const connectingAtOnce = 50;
const ownRounds = 7;

/** From an admin's change of the rate to the last of many open dashboards of senders, beside the same message broadcast by a bare Socket.IO server. */
export async function measureDashboards({ product, floors }: Bench): Promise<Figure[]> {
  const [admin, sender] = [await product.signInAdmin(), await product.signInSender()];
  await settled(product);
  const board = await (await fetch(`${product.stack.apiUrl}/api/rate`)).text();
  const start = Math.round(Number(JSON.parse(board).rate) * 100);
  const bare = await connectMany(`http://127.0.0.1:${floors.barePort}`, {});
  const ours = await connectMany(product.stack.apiUrl, sender.headers);
  const agent = new Agent({ keepAlive: true });
  const times: { bare: number; ours: number }[] = [];
  try {
    for (let round = 0; round < ownRounds; round += 1) {
      const byHand = await informed(bare, async () => {
        await send(agent, `http://127.0.0.1:${floors.barePort}/broadcast`, { body: board });
      });
      const byUs = await informed(ours, () => product.setRate(((start - 1 - (round % 2)) / 100).toFixed(2), admin));
      times.push({ bare: byHand, ours: byUs });
      await settled(product);
    }
  } finally {
    for (const socket of [...bare, ...ours]) socket.disconnect();
    agent.destroy();
  }
  await until('the api has closed the connections', async () => ours.every(({ connected: open }) => !open));
  // The first round warms up both sides.
  const ratios = times.slice(1).map((time) => time.ours / time.bare);
  const name = `${dashboards} dashboards, a rate change, the last one informed`;
  return [ofRounds({ name, of: 'a bare broadcast', aim: { most: 1.2 } }, ratios)];
}

async function connectMany(url: string, extraHeaders: Record<string, string>): Promise<Socket[]> {
  const sockets: Socket[] = [];
  await inLanes(Array.from({ length: dashboards }), connectingAtOnce, async () => {
    const socket = io(url, { transports: ['websocket'], extraHeaders, forceNew: true, reconnection: false });
    await connected(socket);
    sockets.push(socket);
  });
  return sockets;
}

/** Milliseconds from a call until every socket has the new rate. */
async function informed(sockets: readonly Socket[], call: () => Promise<void>): Promise<number> {
  let missing = sockets.length;
  const everybody = new Promise<void>((resolve) => {
    for (const socket of sockets) {
      socket.once('rate:changed', () => {
        missing -= 1;
        if (missing === 0) resolve();
      });
    }
  });
  const started = performance.now();
  await Promise.all([call(), everybody]);
  return performance.now() - started;
}
