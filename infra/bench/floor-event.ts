import { createHmac, timingSafeEqual } from 'node:crypto';
import type pg from 'pg';

/** Tables of the floors: what the product writes for a booking, without indexes that only its screens need. */
export const floorTables = `
create table event (id text primary key, type text not null, payment_intent_id text not null,
  received_at timestamptz not null default now(), handled_at timestamptz);
create table transfer (id uuid primary key default gen_random_uuid(), payment_intent_id text not null unique,
  state text not null, version int not null, amount_minor bigint not null, paid_at timestamptz);
create table operation (transfer_id uuid primary key, status text not null, provider_reference text);
create table step (transfer_id uuid, version int, state text not null, primary key (transfer_id, version));
create table outbox (id bigserial primary key, data text not null);
create table socket_io_attachments (id bigserial unique, created_at timestamptz default now(), payload bytea);
`;

/** A signature header as Stripe makes it. */
export function sign(body: string, secret: string): string {
  const at = Math.floor(Date.now() / 1000);
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`;
}

/** Whether a header made by `sign` with the secret of the environment belongs to a body. */
export function isSigned(body: Buffer, header: string): boolean {
  const [, at, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  if (!at || !signature) return false;
  const secret = process.env.WEBHOOK_SECRET ?? '';
  const expected = createHmac('sha256', secret).update(`${at}.`).update(body).digest();
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'));
}

/** The one insert of the floors. */
export async function insertEvent(
  client: pg.Pool | pg.PoolClient,
  event: { id: string; type: string; data: { object: { id: string } } },
): Promise<void> {
  await client.query({
    name: 'event',
    text: 'insert into event (id, type, payment_intent_id) values ($1, $2, $3) on conflict (id) do nothing',
    values: [event.id, event.type, event.data.object.id],
  });
}
