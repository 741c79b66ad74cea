import type { Client } from 'pg';
import type { Making } from './making.ts';
import { madeIdSql, randomBelowSql } from './transfers.ts';

/** Retention of most deleted data, 30 days (retention-rules.ts). */
const monthSql = `($1::timestamptz - interval '30 days')`;

/** Data related to transfers: reviews, cases, reports, e-mails, events, and the senders' other data. */
export async function makeSurroundings(client: Client, making: Making): Promise<void> {
  const values = [making.until];
  const admin = `(select id from made_admin where n = 0)`;
  const statements = [
    `insert into review (transfer_id, version, screening_key, screening_status, names, attempts, hits, checked_at)
     select m.id, 2, 'screening:' || ${madeIdSql(making, 'screening', 'm.n')}, 'clear', jsonb_build_array(
         jsonb_build_object('subject', 'sender', 'name', u.name, 'form', search_form(u.name)),
         jsonb_build_object('subject', 'recipient', 'name', r.name, 'form', search_form(r.name))), 1, '[]',
       m.created_at + interval '2 minutes'
     from made as m join app_user as u on u.id = m.user_id join made_recipient as r on r.n = m.recipient_n where m.held
     order by m.n`,
    `insert into payment_origin (transfer_id, network, at)
     select id, '10.' || n % 250 || '.' || n % 249 || '.0/24', created_at from made where held and created_at > ${monthSql}`,
    `insert into declined_attempt (charge_id, transfer_id, user_id, network, card, at)
     select 'ch_' || md5(id::text), id, user_id, '10.' || n % 250 || '.' || n % 249 || '.0/24', 'card_' || n % 997, created_at
     from made where n % 40 = 0 and created_at > ${monthSql}`,
    `insert into stripe_event (id, type, payment_intent_id, received_at, handled_at, attempts, next_attempt_at, outcome)
     select 'evt_' || md5(m.id || type), type, 'pi_' || md5(m.id::text), m.created_at, m.created_at, 1, null, 'handled'
     from made as m, unnest(array['payment_intent.created', 'payment_intent.amount_capturable_updated',
       'payment_intent.succeeded']) as type where m.held and m.created_at > ${monthSql}`,
    `insert into mail (id, key, user_id, kind, data, created_at, attempts, next_attempt_at, sent_at)
     select ${madeIdSql(making, 'mail', 'kind || m.n')}, kind || ':' || m.id || ':1', m.user_id, kind,
       jsonb_build_object('transferId', m.id), m.created_at, 1, null, m.created_at
     from made as m, unnest(array['transfer_held', 'transfer_approved', 'transfer_paid']) as kind
     where m.state = 'completed' and m.created_at > ${monthSql}`,
    `insert into desk_case (id, transfer_id, operation_id, reason, opened_at, version, resolved_at, outcome)
     select ${madeIdSql(making, 'case', 'm.n')}, m.id, ${madeIdSql(making, 'operation', `'payout' || m.n`)}, 'payout_rejected', s.at, 1,
       case when m.state = 'refunded' then s.at + interval '1 hour' end, case when m.state = 'refunded' then 'refunded' end
     from made as m join made_step as s on s.n = m.n and s.version = 7 where m.state in ('payout_failed', 'refunded')`,
    `insert into complaint (id, transfer_id, sender_id, reason, wants, description, paid_from, regime, in_time, reported_at, state, version,
       finding, explanation, found_by_id, found_at, told_at, closed_at, next_due_at)
     select ${madeIdSql(making, 'complaint')}, id, user_id, 'late', 'explanation', 'Todavía no llegó.', 'europe', 'psd2', true, at,
       case when open then 'investigating' else 'closed' end, 1, case when not open then 'no_error' end,
       case when not open then 'Llegó ese día.' end, case when not open then ${admin} end, case when not open then at + interval '1 day' end,
       case when not open then at + interval '1 day' end, case when not open then at + interval '1 day' end,
       case when open then at + interval '15 days' end
     from (select *, created_at + interval '1 day' as at, created_at > $1::timestamptz - interval '10 days' as open from made
       where state = 'completed' and n % 400 = 0) as reported`,
    `insert into complaint_letter (id, complaint_id, kind, number, texts, at)
     select ${madeIdSql(making, 'letter')}, ${madeIdSql(making, 'complaint')}, 'received', 1, '[]', created_at + interval '1 day'
     from made where state = 'completed' and n % 400 = 0`,
    `insert into rate_alert (id, user_id, currency, rate, created_at, fired_at, fired_rate)
     select ${madeIdSql(making, 'alert')}, ${madeIdSql(making, 'sender')}, 'EUR', 14000000 + n, $1::timestamptz - n % 300 * interval '1 day',
       case when n % 2 = 0 then $1::timestamptz end, case when n % 2 = 0 then 14000000 + n end
     from generate_series(0, ${making.senders - 1}, 20) as n`,
    `insert into repeat_plan (id, user_id, recipient_id, state, fixed, amount_minor, currency, every, day, hour, zone, next_day, next_at,
       created_at, changed_at)
     select ${madeIdSql(making, 'plan')}, ${madeIdSql(making, 'sender')}, ${madeIdSql(making, 'recipient')}, 'active', 'pay', 10000, 'EUR',
       'month', 1 + n % 28, 9, 'America/La_Paz', ($1::timestamptz + interval '1 month')::date, $1::timestamptz + interval '1 month',
       $1::timestamptz, $1::timestamptz
     from generate_series(0, ${making.senders - 1}, 40) as n`,
    `insert into session (id, user_id, token_hash, created_at, expires_at, last_seen_at)
     select ${madeIdSql(making, 'session')}, ${madeIdSql(making, 'sender')}, md5('session ${making.seed} ' || n),
       $1::timestamptz - interval '1 day', $1::timestamptz + (1 + n % 29) * interval '1 day', $1::timestamptz - interval '1 day'
     from generate_series(0, ${making.senders - 1}) as n`,
    `insert into known_device (secret_hash, user_id, last_sign_in_at, first_sign_in_at)
     select md5('device ${making.seed} ' || n), ${madeIdSql(making, 'sender')}, $1::timestamptz - n % 300 * interval '1 day',
       $1::timestamptz - interval '300 days' from generate_series(0, ${making.senders - 1}) as n`,
    `insert into crypto_order (id, user_id, status, version, amount_minor, wallet_address, session_id, input_hash, created_at, changed_at)
     select ${madeIdSql(making, 'order')}, ${madeIdSql(making, 'sender')}, 'fulfillment_complete', 3, 10000, 'ChasquiDemo', 'cos_' || n,
       md5(n::text), at, at
     from generate_series(0, ${making.senders - 1}, 100) as n, lateral (select $1::timestamptz - n % 300 * interval '1 day' as at) as done`,
    `insert into webhook_endpoint (id, url, description, events, secret, created_at, created_by_id, disabled_at, disabled_because)
     select ${madeIdSql(making, 'endpoint', '0')}, 'https://partner.example/events', '', array['transfer.completed'], 'none', $1, ${admin},
       $1::timestamptz, 'admin'`,
    `insert into webhook_delivery (id, endpoint_id, event_id, event_type, transfer_id, body, created_at, status, attempts, expires_at,
       last_attempt_at, response_status)
     select ${madeIdSql(making, 'delivery')}, ${madeIdSql(making, 'endpoint', '0')}, 'evt_' || n, 'transfer.completed', id,
       jsonb_build_object('id', 'evt_' || n), created_at, 'delivered', 1, created_at + interval '3 days', created_at, 200
     from made where state = 'completed' and created_at > $1::timestamptz - interval '90 days'`,
  ];
  for (const statement of statements) await client.query(statement, statement.includes('$1') ? values : []);
  await makeAudit(client, making);
}

/** An entry in the audit log for each decision. */
async function makeAudit(client: Client, making: Making): Promise<void> {
  await client.query(
    `insert into audit_entry (id, at, kind, actor_id, actor_role, subject, detail, network)
     select ${madeIdSql(making, 'audit', 'm.n')}, s.at, case s.move when 'approve' then 'transfer_approved' else 'transfer_rejected' end,
       s.actor_id, 'owner', m.id::text, '{}', '10.9.9.0/24'
     from made as m join made_step as s on s.n = m.n and s.version = 4 where s.owner = 'admin' order by s.at`,
  );
}

/** The hash chain of the audit log, as its trigger builds it: each hash includes the previous one. */
export async function chainAudit(client: Client): Promise<void> {
  await client.query(`
    do $$
    declare
      e audit_entry;
      head bigint := coalesce((select max(position) from audit_chain), 0);
      last text := (select hash from audit_chain where position = head);
    begin
      for e in select a.* from audit_entry as a where not exists (select from audit_chain where entry_id = a.id) order by a.at, a.id loop
        head := head + 1;
        last := encode(sha256(convert_to(json_build_array(
          head::text, coalesce(last, ''), e.id::text, to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
          e.kind, e.actor_id::text, e.actor_role, e.subject, e.detail, e.network)::text, 'UTF8')), 'hex');
        insert into audit_chain (position, entry_id, hash) values (head, e.id, last);
      end loop;
    end $$`);
}

/** Entries of Stripe and the bank for the transfers, their effect on the books, and closed days. */
export async function makeBooks(client: Client, making: Making): Promise<void> {
  const account = "'10000000591001'";
  const statements = [
    `create temp table made_charge as
     select m.n, m.id, 'txn_' || md5(m.id::text) as entry, m.amount_minor, ceil(m.amount_minor * 0.029)::bigint + 30 as fee_minor,
       m.currency, s.at, (s.at at time zone 'America/La_Paz')::date as day
     from made as m join made_step as s on s.n = m.n and s.version = 5 where m.charged`,
    `insert into stripe_entry (id, kind, type, reporting_category, payment_intent_id, transfer_id, amount_minor, fee_minor, currency,
       created_at, available_on, happened_on, day, imported_at)
     select entry, 'charge', 'charge', 'charge', 'pi_' || md5(id::text), id, amount_minor, fee_minor, currency, at, at + interval '2 days',
       day, day, at + interval '1 hour' from made_charge order by n`,
    `insert into stripe_entry (id, kind, type, reporting_category, source_id, transfer_id, amount_minor, fee_minor, currency,
       created_at, available_on, happened_on, day, imported_at)
     select 'txn_' || md5('refund' || m.id), 'refund', 'refund', 'refund', 're_' || md5(m.id::text), m.id, -m.amount_minor, 0, m.currency,
       s.at, s.at, (s.at at time zone 'America/La_Paz')::date, (s.at at time zone 'America/La_Paz')::date, s.at + interval '1 hour'
     from made as m join made_step as s on s.n = m.n and s.version = 9 where m.state = 'refunded'`,
    `insert into settlement_posting (entry, transfer_id, source, destination, amount_minor, currency, day, at)
     select 'fee:' || entry, id, 'processor_fees', 'card_processor', fee_minor, currency, day, at + interval '1 hour'
     from made_charge order by n`,
    `create temp table made_payout as
     select m.n, m.id, m.bolivianos_minor, (s.at at time zone 'America/La_Paz')::date as day, s.at
     from made as m join made_step as s on s.n = m.n and s.version = 7 where m.state = 'completed'`,
    `insert into settlement_posting (entry, transfer_id, source, destination, amount_minor, currency, day, at)
     select 'margin:' || m.id || ':1', m.id, 'exchange', 'exchange_margin',
       div(m.net_minor::numeric * (m.reference_rate - m.rate), m.reference_rate::numeric), m.currency, p.day, p.at + interval '1 hour'
     from made as m join made_payout as p using (n)
     where div(m.net_minor::numeric * (m.reference_rate - m.rate), m.reference_rate::numeric) > 0 order by m.n`,
    `create temp table made_day as select day, sum(bolivianos_minor)::bigint as paid from made_payout group by day`,
    `insert into bank_statement (id, account, number, day, currency, opening_minor, closing_minor, format, sha256, imported_at)
     select ${madeIdSql(making, 'statement', 'day')}, ${account}, 'CHQ-' || day, day, 'BOB', rest + paid, rest, 'csv', 'made ' || day,
       day + interval '28 hours'
     from (select day, paid, 1000000000 + coalesce(sum(paid) over (order by day rows between 1 following and unbounded following), 0)
       as rest from made_day) as balanced`,
    `insert into bank_entry (id, statement_id, account, statement_number, line_reference, kind, transfer_id, external_id, bank_reference,
       amount_minor, currency, happened_on, day, imported_at)
     select ${madeIdSql(making, 'line')}, ${madeIdSql(making, 'statement', 'day')}, ${account}, 'CHQ-' || day, 'made-' || id, 'payout', id, id,
       'BU-' || lpad(n::text, 9, '0'), -bolivianos_minor, 'BOB', day, day, day + interval '28 hours' from made_payout order by n`,
    `insert into book_exception (id, key, cause, side, transfer_id, reference, expected_minor, actual_minor, difference_minor, currency, day,
       found_at, status, note, decided_by_id, decided_at, version)
     select ${madeIdSql(making, 'exception')}, 'made ' || n, 'amount', 'stripe', id, entry, amount_minor, amount_minor - 1, -1, currency, day,
       at + interval '2 hours', 'explained', 'Redondeo', (select id from made_admin where n = 0), at + interval '1 day', 2
     from made_charge where n % 1000 = 0`,
    // Totals of each side at the end of each day, as comparisons compute them.
    `create temp table made_balance as
     select day, side, currency, sum(sum(source)) over w as source, sum(sum(books)) over w as books from (
       select day, 'stripe' as side, currency, amount_minor - fee_minor as source, 0::numeric as books from stripe_entry
       union all select day, 'bank', currency, amount_minor, 0 from bank_entry
       union all select (at at time zone 'America/La_Paz')::date, a.side, currency, 0,
           case when source = a.account then amount_minor else -amount_minor end
         from ledger_posting join (values ('stripe', 'card_processor'), ('bank', 'bank')) as a (side, account)
           on a.account in (source, destination) where a.side = 'stripe' or currency = 'BOB'
       union all select day, 'stripe', currency, 0, case when source = 'card_processor' then amount_minor else -amount_minor end
         from settlement_posting where 'card_processor' in (source, destination)
     ) as parts group by day, side, currency window w as (partition by side, currency order by day)`,
    `create temp table made_totals as
     select days.day, jsonb_agg(jsonb_build_object('side', b.side, 'currency', b.currency, 'sourceMinor', b.source::text,
       'booksMinor', b.books::text, 'timingMinor', '0', 'explainedMinor', '0', 'openMinor', '0') order by b.side desc, b.currency) as totals
     from (select generate_series(min(day), max(day), '1 day')::date as day from made_balance) as days
       cross join (values ('stripe', 'EUR'), ('stripe', 'USD'), ('bank', 'BOB')) as s (side, currency)
       join lateral (select * from made_balance as b where b.side = s.side and b.currency = s.currency and b.day <= days.day
         order by b.day desc limit 1) as b on true
     group by days.day`,
    `insert into book_day (day, totals, compared_at) select day, totals, day + interval '30 hours' from made_totals`,
    `insert into book_request (id, action, day, reason, requested_by_id, requested_at, decided_by_id, decided_at, outcome)
     select ${madeIdSql(making, 'closing', 'day')}, 'close_day', day, '', (select id from made_admin where n = 0), day + interval '31 hours',
       (select id from made_admin where n = 1), day + interval '32 hours', 'approved' from made_totals where day < $1::date - 3`,
    `insert into day_closing (day, totals, profit, proposed_by_id, confirmed_by_id, closed_at)
     select day, totals, '{}', (select id from made_admin where n = 0), (select id from made_admin where n = 1), day + interval '32 hours'
     from made_totals where day < $1::date - 3 order by day`,
    `insert into import_progress (source, until, changed_at) values ('stripe', $1::timestamptz, $1::timestamptz)
     on conflict (source) do update set until = excluded.until`,
  ];
  for (const statement of statements) await client.query(statement, statement.includes('$1') ? [making.until] : []);
}

/** The results of each source run: prices of five services for three amounts in two currencies, and references. */
const figures = `
  select row_number() over () as f, * from (
    select 'price' as kind, source, competitor, currency || '/BOB' as pair, amount, 400::bigint as fee,
      case currency when 'EUR' then 13000000 else 11300000 end + ascii(source) * 1000 as rate
    from (values ('westernUnion', 'westernUnion'), ('moneyGram', 'moneyGram'), ('ria', 'ria'), ('remitly', 'remitly'),
      ('wiseComparison', 'wise')) as s (source, competitor), unnest(array['EUR', 'USD']) as currency,
      unnest(array[10000, 50000, 100000]) as amount
    union all
    select 'reference', source, null, pair, null, null, case pair when 'EUR/BOB' then 13300000 when 'EUR/USD' then 1150000 else 11500000 end
    from (values ('bcb', 'USD/BOB'), ('dolarApi', 'USD/BOB'), ('criptoYa', 'USD/BOB'), ('binanceP2p', 'USD/BOB'), ('bcb', 'EUR/BOB'),
      ('dolarApi', 'EUR/BOB'), ('criptoYa', 'EUR/BOB'), ('bcbList', 'USD/BOB'), ('bcbList', 'EUR/BOB'), ('ecb', 'EUR/USD')) as r (source, pair)
  ) as each`;

/** Source runs, evenly over the days, with their results. */
export async function makeObservations(client: Client, making: Making): Promise<void> {
  await client.query(`create temp table made_figure as ${figures}`);
  const perRun =
    (await client.query<{ count: number }>('select count(*)::int as count from made_figure')).rows[0]?.count ?? 1;
  const runs = Math.floor(making.observations / perRun);
  await client.query(
    `create temp table made_run as select n, ${madeIdSql(making, 'run')} as id,
       date_trunc('milliseconds', $1::timestamptz - (${runs} - n)::float8 / ${runs} * ${making.days} * interval '1 day') as at
     from generate_series(0, ${runs - 1}) as n`,
    [making.until],
  );
  await client.query(
    `insert into rate_run (id, trigger, started_at, finished_at, results, outcome)
     select id, 'scheduled', at, at, '[]', 'collected' from made_run order by n`,
  );
  await client.query(
    `insert into rate_observation (run_id, source, kind, competitor, pair, amount_minor, rate, fee_minor, raw_hash, outlier, observed_at)
     select r.id, source, kind, competitor, pair, amount, rate + ${randomBelowSql(making, 30, 20000, 'r.n * 64 + f')}, fee, md5(r.n || source),
       ${randomBelowSql(making, 31, 200, 'r.n * 64 + f')} = 0, r.at from made_run as r cross join made_figure order by r.n, f`,
  );
  await client.query(
    `insert into bank_rate (run_id, day, bank, rate, raw_hash, observed_at)
     select id, at::date, 'Banco ' || bank, 11400000 + bank * 1000, md5(at::text), at
     from (select distinct on (at::date) * from made_run order by at::date, n desc) as daily cross join generate_series(1, 12) as bank`,
  );
}
