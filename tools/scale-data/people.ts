import { createHash } from 'node:crypto';
import type { Client } from 'pg';
import { banks, wallets } from '#core/recipients/banks';
import { hideNumbers, hidePhone } from '#domain/personal-data/personal-data';
import { demoLightSender, demoManySender } from '../commands/demo-accounts.ts';
import type { Making } from './making.ts';

const firstNames = 'Rosa Javier Carmen Luis Ana Pedro Elena Jorge Marta Iván Lucía Óscar Silvia Raúl Nancy Hugo'.split(
  ' ',
);
const surnames =
  'Mamani Quispe Condori Flores Choque Rojas Vargas Gutiérrez Apaza Huanca Ticona Callisaya Nina Poma Cruz Limachi'.split(
    ' ',
  );
const cities = ['La Paz', 'Santa Cruz', 'Cochabamba', 'El Alto', 'Sucre', 'Oruro', 'Potosí', 'Tarija'];
const payers = [...banks, ...wallets];

/** Every n-th recipient gets this rare name, so that a search for it finds few among many. */
const rareEvery = 997;
export const rareName = 'Wenceslao Yujra';

/** Recipients of the sender with many transfers; all others have two. */
export const recipientsOfMany = 1_000;
/** Rows per statement. */
const batchSize = 5_000;

/** A pseudo-random integer below `below`, derived from the seed, a number and a purpose. */
function draw({ seed }: Making, n: number, purpose: number, below: number): number {
  let x = Math.imul(n + 1, 0x9e3779b1) ^ Math.imul(seed + purpose * 7919, 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 15), 0x2c1b3c6d);
  x = Math.imul(x ^ (x >>> 12), 0x297a2d39);
  return ((x ^ (x >>> 15)) >>> 0) % below;
}

const pick = <Item>(making: Making, n: number, purpose: number, items: readonly Item[]) =>
  items[draw(making, n, purpose, items.length)] as Item;

/** A version 4 UUID derived from the seed. */
export function madeId({ seed }: Making, kind: string, n: number): string {
  const hex = createHash('md5').update(`${seed}:${kind}:${n}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

function nameOf(making: Making, n: number, purpose: number): string {
  if (n % rareEvery === rareEvery - 1) return rareName;
  return `${pick(making, n, purpose, firstNames)} ${pick(making, n, purpose + 1, surnames)} ${pick(making, n, purpose + 2, surnames)}`;
}

/** A person's numbers, all unique. */
function numbersOf(making: Making, n: number) {
  return {
    ci: `${1_000_000 + (n % 9_000_000)} LP`,
    phone: `+591 ${60_000_000 + ((n * 7 + draw(making, n, 4, 7)) % 19_999_999)}`,
    bankAccount: `${10_000_000_000_000 + n}`,
  };
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

/** Senders: number 0 has many transfers and 1 a few; these two can sign in, with the demonstration's password. */
export async function makeSenders(client: Client, making: Making, passwordHash: string): Promise<void> {
  const accounts = [demoManySender, demoLightSender];
  for (const some of batches(numbers(making.senders))) {
    const rows = some.map((n) => {
      const id = madeId(making, 'sender', n);
      const { name, email } = accounts[n] ?? { name: nameOf(making, n, 10), email: `emisor${n}@chasqui.test` };
      const { phone } = numbersOf(making, n);
      const hidden = hidePhone(making.em, id, phone);
      return {
        ...{ n, id, name, email, phone: hidden.phone, phone_sealed: hidden.phoneSealed, phone_hash: hidden.phoneHash },
        ...{ city: pick(making, n, 13, cities), password_hash: n < accounts.length ? passwordHash : '!' },
      };
    });
    await client.query(
      `insert into app_user (id, email, name, phone, phone_sealed, phone_hash, city, role, password_hash, terms_accepted_at,
         created_at, email_verified_at, last_active_at)
       select id, email, name, phone, phone_sealed, phone_hash, city, 'user', password_hash, at, at, at, $2::timestamptz
       from jsonb_to_recordset($1::jsonb) as s (n int, id uuid, name text, email text, phone text, phone_sealed text,
         phone_hash text, city text, password_hash text),
       lateral (select $2::timestamptz - (1 + (${making.senders} - n)::float8 / ${making.senders} * $3) * interval '1 day' as at) as opened`,
      [JSON.stringify(rows), making.until, making.days],
    );
  }
}

/** Recipients, and the table `made_recipient` with the data that transfers copy. */
export async function makeRecipients(client: Client, making: Making): Promise<void> {
  await client.query(
    `create temp table made_recipient (n int primary key, id uuid, user_n int, name text, bank text, city text)`,
  );
  for (const some of batches(numbers(2 * making.senders + recipientsOfMany))) {
    const rows = some.map((n) => {
      const id = madeId(making, 'recipient', n);
      const userN = n < 2 * making.senders ? n % making.senders : 0;
      const { sealed, hashes, ...seen } = hideNumbers(making.em, `recipient:${id}`, numbersOf(making, n));
      return {
        ...{ n, id, user_n: userN, user_id: madeId(making, 'sender', userN), name: nameOf(making, n, 20) },
        ...{ city: pick(making, n, 24, cities), bank: pick(making, n, 25, payers) },
        ...{ ci: seen.ci, phone: seen.phone, account: seen.bankAccount, sealed, account_hash: hashes.account },
      };
    });
    await client.query(
      `with given as (select * from jsonb_to_recordset($1::jsonb) as r (n int, id uuid, user_n int, user_id uuid, name text,
         city text, bank text, ci text, phone text, account text, sealed text, account_hash text)),
       kept as (insert into made_recipient select n, id, user_n, name, bank, city from given)
       insert into recipient (id, user_id, name, email, phone, ci, bank_name, bank_account, address, city, relationship, created_at,
         sealed, account_hash)
       select given.id, user_id, given.name, '', given.phone, ci, bank, account, '', given.city, 'Familia',
         app_user.created_at + (n % 1440) * interval '1 minute', sealed, account_hash
       from given join app_user on app_user.id = user_id`,
      [JSON.stringify(rows)],
    );
  }
}

/** The table `made_target`: the recipient's numbers of each transfer, encrypted for it. */
export async function sealTargets(client: Client, making: Making): Promise<void> {
  await client.query('create temp table made_target (n int primary key, target jsonb)');
  for (const some of batches(numbers(making.transfers))) {
    const first = some[0] as number;
    const { rows } = await client.query<{ n: number; id: string; recipient_n: number }>(
      'select n, id, recipient_n::int from made where n between $1 and $2 and recipient_n is not null',
      [first, first + some.length - 1],
    );
    const sealed = rows.map(({ n, id, recipient_n: of }) => {
      return { n, target: hideNumbers(making.em, `payout_target:${id}`, numbersOf(making, of)) };
    });
    await client.query(
      `insert into made_target select n, target from jsonb_to_recordset($1::jsonb) as t (n int, target jsonb)`,
      [JSON.stringify(sealed)],
    );
  }
}

function* batches(all: readonly number[]): Generator<number[]> {
  for (let from = 0; from < all.length; from += batchSize) yield all.slice(from, from + batchSize);
}
