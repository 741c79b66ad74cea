import type { Client } from 'pg';
import type { Making } from './making.ts';
import { recipientsOfMany } from './people.ts';

/** The steps of a transfer to its state: version, new state, move, owner, actor, minutes after the opening. */
const paths = {
  opened: [
    [1, 'awaiting_payment', null, 'sender', 'sender', 0],
    [2, 'awaiting_payment', 'attach_intent', 'payments', null, 0],
  ],
  held: [[3, 'in_review', 'hold', 'payments', null, 2]],
  charged: [
    [4, 'approved', 'approve', 'admin', 'admin', 30],
    [5, 'captured', 'capture', 'payments', null, 31],
  ],
  started: [[6, 'captured', 'start_payout', 'payouts', null, 31]],
  paid: [[7, 'completed', 'pay_out', 'payouts', null, 34]],
  refused: [[7, 'payout_failed', 'reject_payout', 'payouts', null, 33]],
  returned: [
    [8, 'refunding', 'ask_money_back', 'sender', 'sender', 90],
    [9, 'refunded', 'refund', 'payments', null, 95],
  ],
} as const;

const { opened, held, charged, started, paid, refused, returned } = paths;
const voided = (version: number, minutes: number, state: string) =>
  [version, state, 'void_authorization', 'payments', null, minutes] as const;

const pathOf: Readonly<Record<string, readonly (readonly (string | number | null)[])[]>> = {
  awaiting_payment: opened,
  in_review: [...opened, ...held],
  captured: [...opened, ...held, ...charged],
  payout_failed: [...opened, ...held, ...charged, ...started, ...refused],
  completed: [...opened, ...held, ...charged, ...started, ...paid],
  refunded: [...opened, ...held, ...charged, ...started, ...refused, ...returned],
  rejected: [...opened, ...held, [4, 'rejected', 'reject', 'admin', 'admin', 30], voided(5, 31, 'rejected')],
  cancelled: [...opened, [3, 'cancelled', 'withdraw', 'sender', 'sender', 5], voided(4, 6, 'cancelled')],
  expired: [...opened, [3, 'expired', 'expire_quote', 'clock', null, 31], voided(4, 32, 'expired')],
  failed: [...opened, [3, 'failed', 'refuse_over_limit', 'payments', null, 2], voided(4, 3, 'failed')],
};

const text = (value: string | number | null) =>
  value === null ? 'null' : typeof value === 'number' ? `${value}` : `'${value}'`;
const valuesOf = (rows: readonly (readonly (string | number | null)[])[]) =>
  rows.map((row) => `(${row.map(text).join(', ')})`).join(', ');

const steps = Object.entries(pathOf).flatMap(([of, path]) => path.map((step) => [of, ...step]));

/** Operations of a transfer in a state: kind, status, and the step at which they ended or started. */
const operations = [
  ['awaiting_payment', 'authorization', 'pending', 1],
  ...['in_review', 'captured', 'payout_failed', 'completed', 'refunded', 'rejected', 'failed'].map((state) => [
    ...[state, 'authorization', 'succeeded', 3],
  ]),
  ['cancelled', 'authorization', 'abandoned', 3],
  ['expired', 'authorization', 'failed', 3],
  ...['captured', 'payout_failed', 'completed', 'refunded'].map((state) => [state, 'capture', 'succeeded', 5]),
  ['captured', 'payout', 'pending', 5],
  ['payout_failed', 'payout', 'failed', 7],
  ['completed', 'payout', 'succeeded', 7],
  ['refunded', 'payout', 'failed', 7],
  ['refunded', 'refund', 'succeeded', 9],
  ['rejected', 'void', 'succeeded', 5],
  ...['cancelled', 'expired', 'failed'].map((state) => [state, 'void', 'succeeded', 4]),
] as const;

/** SQL: a pseudo-random integer below `below`, derived from the seed, the row's number and a purpose. */
export const randomBelowSql = ({ seed }: Making, purpose: number, below: number, n = 'n') =>
  `((hashint8extended(${n}::bigint, ${seed * 1000 + purpose}) & 2147483647) % ${below})`;

/** SQL: `madeId` of people.ts. */
export const madeIdSql = ({ seed }: Making, kind: string, n = 'n') =>
  `(select (left(m, 12) || '4' || substr(m, 14, 3) || '8' || substr(m, 18))::uuid from md5('${seed}:${kind}:' || ${n}) as m)`;

/**
 * The table `made`: the properties of each transfer, in the order of their opening. Those of the last day are under
 * way.
 */
export async function planTransfers(client: Client, making: Making): Promise<void> {
  const { transfers, ofOne, senders, days } = making;
  const share = Math.round((ofOne / transfers) * 1_000_000);
  const ended = `case when luck < 900 then 'completed' when luck < 940 then 'rejected' when luck < 960 then 'cancelled'
    when luck < 985 then 'expired' when luck < 995 then 'refunded' else 'failed' end`;
  const underWay = `case when luck < 500 then 'completed' when luck < 700 then 'in_review' when luck < 720 then 'captured'
    when luck < 740 then 'payout_failed' when luck < 900 and age < interval '30 minutes' then 'awaiting_payment'
    when luck < 900 then 'expired' else 'completed' end`;
  await client.query(
    `create temp table made as
     with numbered as (
       select n, ${madeIdSql(making, 'transfer')} as id,
         case when ${randomBelowSql(making, 1, 1_000_000)} < ${share} then 0 else 1 + ${randomBelowSql(making, 2, senders - 1)} end as user_n,
         ${randomBelowSql(making, 3, 1000)} as luck,
         (${transfers} - n - 1 + ${randomBelowSql(making, 4, 1000)} / 1000.0)::float8 / ${transfers} * ${days} * interval '1 day' as age,
         case when ${randomBelowSql(making, 5, 10)} < 6 then 'EUR' else 'USD' end as currency,
         1000 + 100 * ${randomBelowSql(making, 6, 490)} as amount_minor,
         ${randomBelowSql(making, 7, 170)} as minutes, ${randomBelowSql(making, 8, 40)} as bank_minutes, ${randomBelowSql(making, 9, 2)} as admin_n
       from generate_series(0, ${transfers - 1}) as n
     ), priced as (
       select *, date_trunc('milliseconds', $1::timestamptz - age) as created_at, ceil(amount_minor * 0.035)::bigint as fee_minor,
         (case currency when 'EUR' then 13150000 else 11400000 end + 100 * (n % 300))::bigint as rate,
         case when age > interval '1 day' then ${ended} else ${underWay} end as state
       from numbered
     )
     select n, id, user_n, state, currency, amount_minor::bigint, fee_minor, amount_minor - fee_minor as net_minor, rate,
       rate + rate / 100 as reference_rate, div((amount_minor - fee_minor)::numeric * rate, 1000000)::bigint as bolivianos_minor,
       case currency when 'EUR' then ceil(amount_minor * 1.1)::bigint else amount_minor end as usd_minor, created_at, minutes,
       bank_minutes, admin_n, state in ('in_review', 'captured', 'payout_failed', 'completed', 'rejected', 'refunded') as held,
       state in ('captured', 'payout_failed', 'completed', 'refunded') as charged,
       case when state = 'expired' and n % 50 = 0 then null
         when user_n = 0 then ${2 * senders} + ${randomBelowSql(making, 10, recipientsOfMany)}
         else user_n + ${senders} * (n % 2) end as recipient_n,
       ${madeIdSql(making, 'sender', 'user_n')} as user_id
     from priced`,
    [making.until],
  );
  await client.query('create unique index on made (n)');
  await client.query(
    `create temp table made_step as
     select m.n, m.id as transfer_id, s.version, s.state, s.move, s.owner,
       case s.actor when 'sender' then m.user_id when 'admin' then a.id end as actor_id,
       m.created_at + (s.minutes + case when s.minutes >= 30 and m.held then m.minutes else 0 end
         + case when s.version >= 7 then m.bank_minutes else 0 end) * interval '1 minute' as at
     from made as m join (values ${valuesOf(steps)}) as s (of, version, state, move, owner, actor, minutes) on s.of = m.state
       join made_admin as a on a.n = m.admin_n`,
  );
  await client.query('create index on made_step (n, version)');
  for (const table of ['made', 'made_step', 'made_recipient', 'made_admin']) await client.query(`analyze ${table}`);
}

/** Transfers with their steps, operations and ledger entries. */
export async function makeTransfers(client: Client, making: Making): Promise<void> {
  const at = (version: number) => `(select at from made_step as s where s.n = m.n and s.version = ${version})`;
  await client.query(
    `insert into transfer (id, user_id, state, version, currency, amount_minor, fee_minor, net_minor, rate, bolivianos_minor, usd_minor,
       markup_basis_points, recipient_id, payout_target, quote_expires_at, estimated_delivery, payment_intent_id, card_brand, card_last4,
       paid_at, capture_before, authorization_voided_at, decided_at, decided_by_id, reason, payout_reference, created_at, changed_at,
       payout_started_at, rate_since, eur_usd, reference_rate, correct_account_by, returned_minor, payout_returned_minor,
       paid_again_minor, rejection_code, card_country)
     select m.id, m.user_id, m.state, l.version, m.currency, m.amount_minor, m.fee_minor, m.net_minor, m.rate, m.bolivianos_minor,
       m.usd_minor, 100, r.id, t.target || jsonb_build_object('name', r.name, 'bankName', r.bank, 'address', '', 'city', r.city),
       m.created_at + interval '30 minutes', m.created_at + interval '3 days', 'pi_' || md5(m.id::text), case when m.held then 'visa' end,
       case when m.held then lpad((m.n % 9973)::text, 4, '0') end, case when m.held then ${at(3)} end,
       case when m.held then ${at(3)} + interval '7 days' end,
       case when m.state in ('rejected', 'cancelled', 'expired', 'failed') then l.at end,
       case when m.charged or m.state = 'rejected' then ${at(4)} end, case when m.charged or m.state = 'rejected' then a.id end,
       case when m.state = 'rejected' then 'No pudimos confirmar el número de cuenta.' end,
       case when m.state = 'completed' then 'BU-' || lpad(m.n::text, 9, '0') end, m.created_at, l.at,
       case when m.charged and m.state <> 'captured' then ${at(6)} end, m.created_at, 1100000, m.reference_rate,
       case when m.state = 'payout_failed' then l.at + interval '7 days' end,
       case when m.state = 'refunded' then m.amount_minor else 0 end, 0, 0,
       case when m.state = 'rejected' then 'recipient_unverified' end, case when m.held then 'ES' end
     from made as m join made_admin as a on a.n = m.admin_n
       join lateral (select version, at from made_step as s where s.n = m.n order by version desc limit 1) as l on true
       left join made_recipient as r on r.n = m.recipient_n left join made_target as t on t.n = m.n
     order by m.n`,
  );
  await client.query(
    `insert into transfer_step (transfer_id, version, state, move, owner, actor_id, at)
     select transfer_id, version, state, move, owner, actor_id, at from made_step order by n, version`,
  );
  await client.query(
    `insert into operation (id, transfer_id, kind, sequence, idempotency_key, provider, status, attempts, next_attempt_at,
       provider_reference, amount_minor, currency, returned_minor, created_at, changed_at)
     select ${madeIdSql(making, 'operation', 'o.kind || m.n')}, m.id, o.kind, 1, o.kind || ':' || m.id || ':1',
       case o.kind when 'payout' then 'bank' else 'stripe' end, o.status, 1,
       case when o.kind = 'payout' and o.status = 'pending' then s.at end,
       case when o.status <> 'succeeded' then null when o.kind = 'payout' then 'BU-' || lpad(m.n::text, 9, '0')
         when o.kind = 'refund' then 're_' || md5(m.id::text) else 'pi_' || md5(m.id::text) end,
       case o.kind when 'payout' then m.bolivianos_minor else m.amount_minor end,
       case o.kind when 'payout' then 'BOB' else m.currency end, 0, m.created_at, s.at
     from made as m join (values ${valuesOf(operations)}) as o (of, kind, status, version) on o.of = m.state
       join made_step as s on s.n = m.n and s.version = o.version
     order by m.n`,
  );
  const entry = (name: string, version: number, when: string, lines: readonly string[]) =>
    `select m.n, m.id, '${name}', l.line, l.source, l.destination, l.amount, l.currency, s.at
     from made as m join made_step as s on s.n = m.n and s.version = ${version}
       cross join lateral (values ${lines.map((line, index) => `(${index + 1}, ${line})`).join(', ')})
         as l (line, source, destination, amount, currency)
     where ${when} and l.amount > 0`;
  await client.query(
    `insert into ledger_posting (transfer_id, entry, line, source, destination, amount_minor, currency, at)
     select id, entry, line, source, destination, amount, currency, at from (
       ${entry('charge', 5, 'm.charged', [
         `'card_processor', 'sender_funds', m.amount_minor, m.currency`,
         `'sender_funds', 'fee_income', m.fee_minor, m.currency`,
         `'sender_funds', 'exchange', m.net_minor, m.currency`,
         `'exchange', 'payout_due', m.bolivianos_minor, 'BOB'`,
       ])}
       union all ${entry('payout', 7, "m.state = 'completed'", [`'payout_due', 'bank', m.bolivianos_minor, 'BOB'`])}
       union all ${entry('unwind', 8, "m.state = 'refunded'", [
         `'payout_due', 'exchange', m.bolivianos_minor, 'BOB'`,
         `'exchange', 'sender_funds', m.net_minor, m.currency`,
         `'fee_income', 'sender_funds', m.fee_minor, m.currency`,
         `'sender_funds', 'refund_due', m.amount_minor, m.currency`,
       ])}
       union all ${entry('refund', 9, "m.state = 'refunded'", [
         `'refund_due', 'card_processor', m.amount_minor, m.currency`,
       ])}
     ) as lines (n, id, entry, line, source, destination, amount, currency, at) order by at, n, entry, line`,
  );
}

/** The data that triggers derive from transfers: search data and totals. */
export async function deriveFromTransfers(client: Client): Promise<void> {
  await client.query(
    `insert into transfer_search (transfer_id, part, user_id, opened_at, search_text, search_amounts, amount_minor, bank_name, hashes)
     select t.id, 0, t.user_id, t.created_at,
       search_form(transfer_reference(t.id) || ' ' || coalesce(t.payout_target ->> 'name', '') || ' '
         || search_number(t.payout_target ->> 'bankAccount')),
       search_amount(t.amount_minor) || search_amount(t.fee_minor) || search_amount(t.net_minor) || search_amount(t.bolivianos_minor)
         || search_amount(t.usd_minor),
       t.amount_minor, t.payout_target ->> 'bankName',
       array(select value from jsonb_each_text(coalesce(t.payout_target -> 'hashes', '{}')))
     from transfer as t order by t.created_at
     on conflict do nothing`,
  );
  await client.query(
    `insert into transfer_search (transfer_id, part, user_id, opened_at, search_text, search_amounts)
     select t.id, number.part, t.user_id, t.created_at, search_form(search_number(number.text)), ''
     from transfer as t cross join lateral (values
       (1, t.payment_intent_id), (2, t.payout_reference), (3, t.card_last4)
     ) as number (part, text)
     where number.text is not null order by t.created_at
     on conflict do nothing`,
  );
  await client.query('truncate transfer_day_total, sender_total, sender_day_total, active_total, account_total');
  await client.query(
    `create temp table share as select share.* from transfer as t cross join lateral transfer_share(t) as share`,
  );
  await client.query(
    `insert into transfer_day_total (day, shard, paid_usd_minor, completed, rejected)
     select day, hashtext(user_id::text) & 15, sum(day_usd_minor), sum(completed), sum(rejected) from share
     group by 1, 2`,
  );
  await client.query(
    `insert into sender_total (user_id, paid_count, paid_usd_minor, last_paid_at)
     select user_id, sum(paid), sum(paid_usd_minor), max(paid_at) from share group by user_id
     having sum(paid) <> 0 or max(paid_at) is not null`,
  );
  await client.query(
    `insert into sender_day_total (user_id, day, sent_usd_minor, held)
     select user_id, days.day, sum(days.sent_usd_minor), sum(days.held)
     from transfer as t cross join lateral (values
       ((t.paid_at at time zone 'America/La_Paz')::date, is_paid_state(t.state)::int * t.usd_minor, 0),
       ((t.created_at at time zone 'America/La_Paz')::date, 0, 1)
     ) as days (day, sent_usd_minor, held)
     where t.paid_at is not null group by 1, 2`,
  );
  await client.query(
    `insert into active_total (day, shard, senders)
     select (last_paid_at at time zone 'America/La_Paz')::date, 0, count(*) from sender_total where last_paid_at is not null group by 1`,
  );
  await client.query('insert into account_total (shard, accounts) select 0, count(*) from app_user');
}
