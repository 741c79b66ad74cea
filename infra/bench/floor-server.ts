// A server with nothing but the work itself, written by hand: what the product is compared with.
//   POST /event     verifies a signature and inserts one row
//   POST /broadcast sends its body to every browser that is connected
//   POST /booking   the same, and moves a transfer by a fresh reading of its payment, in one transaction
// Beside it a Socket.IO server for the bare hop. Environment: FLOOR_PORT, DATABASE_URL, STRIPE_API_URL, WEBHOOK_SECRET.
import { Agent, createServer, type IncomingMessage } from 'node:http';
import { createAdapter } from '@socket.io/postgres-adapter';
import pg from 'pg';
import { Server } from 'socket.io';
import { insertEvent, isSigned } from './floor-event.ts';
import { send } from './load.ts';

const { FLOOR_PORT, DATABASE_URL, STRIPE_API_URL } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 32 });
const agent = new Agent({ keepAlive: true, maxSockets: 32 });

const server = createServer(async (request, response) => {
  const body = await bodyOf(request);
  if (request.url === '/broadcast') {
    sockets.emit('rate:changed', JSON.parse(body.toString()));
    return response.writeHead(204).end();
  }
  if (!isSigned(body, String(request.headers['stripe-signature']))) return response.writeHead(400).end();
  const event = JSON.parse(body.toString()) as FloorEvent;
  if (request.url === '/booking') await book(event);
  else await insertEvent(pool, event);
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"received":true}');
});

interface FloorEvent {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly object: { readonly id: string } };
}

/** The whole booking by hand: every row the product writes for it, and nothing else. */
async function book(event: FloorEvent): Promise<void> {
  const intentId = event.data.object.id;
  const client = await pool.connect();
  try {
    await client.query('begin');
    await insertEvent(client, event);
    const { rows } = await client.query({
      name: 'lock',
      text: 'select id, version, amount_minor from transfer where payment_intent_id = $1 for update',
      values: [intentId],
    });
    const [transfer] = rows as { id: string; version: number }[];
    const intent = await readIntent(intentId);
    if (!transfer || intent.status !== 'requires_capture') throw new Error(`${intentId} cannot be booked`);
    const version = transfer.version + 1;
    await client.query({
      name: 'move',
      text: "update transfer set state = 'in_review', version = $2, paid_at = now() where id = $1",
      values: [transfer.id, version],
    });
    await client.query({
      name: 'operation',
      text: "update operation set status = 'succeeded', provider_reference = $2 where transfer_id = $1",
      values: [transfer.id, intentId],
    });
    await client.query({
      name: 'step',
      text: "insert into step (transfer_id, version, state) values ($1, $2, 'in_review')",
      values: [transfer.id, version],
    });
    await client.query({ name: 'push', text: 'insert into outbox (data) values ($1)', values: [transfer.id] });
    await client.query({
      name: 'handled',
      text: 'update event set handled_at = now() where id = $1',
      values: [event.id],
    });
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

async function readIntent(id: string): Promise<{ status: string }> {
  const headers = { authorization: 'Bearer sk_test_sandbox' };
  const url = `${STRIPE_API_URL}/v1/payment_intents/${id}?expand[0]=latest_charge`;
  return JSON.parse((await send(agent, url, { method: 'GET', headers })).text);
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const adapterPool = new pg.Pool({ connectionString: DATABASE_URL, max: 2 });
const sockets = new Server(server, { adapter: createAdapter(adapterPool) });
server.listen(Number(FLOOR_PORT), '127.0.0.1', () => console.log('ready'));
process.on('SIGTERM', () => process.exit(0));
