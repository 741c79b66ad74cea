import { createHmac, timingSafeEqual } from 'node:crypto';

/** Tables of the reference service: what one transfer needs, without what only screens and reports read. */
export const floorTables = `
create table event (id text primary key, type text not null, payment_intent_id text not null,
  received_at timestamptz not null default now(), handled_at timestamptz);
create table transfer (id uuid primary key default gen_random_uuid(), payment_intent_id text not null unique,
  state text not null default 'awaiting_payment', version int not null default 1, amount_minor bigint not null);
create table operation (transfer_id uuid, kind text, status text not null, provider_reference text,
  primary key (transfer_id, kind));
create table step (transfer_id uuid, version int, state text not null, primary key (transfer_id, version));
create table posting (id bigserial primary key, transfer_id uuid not null, account text not null, amount_minor bigint not null);
create table outbox (id bigserial primary key, queue text not null, about text not null);
`;

/** A signature header as Stripe makes it. */
export function sign(body: string, secret: string): string {
  const at = Math.floor(Date.now() / 1000);
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`;
}

/** Whether `sign` made a header of a body with this secret. */
export function isSigned(body: Buffer, header: string, secret: string): boolean {
  const [, at, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  if (!at || !signature) return false;
  const expected = createHmac('sha256', secret).update(`${at}.`).update(body).digest();
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'));
}
