import type { Tier } from '#core/accounts/tiers';
import type { SendCurrency } from '#core/money/money';
import { countriesOfPhone } from '#core/review/country-of-phone';
import type { ReviewFacts } from '#core/review/reasons';
import type { ScreeningHit, ScreeningStatus } from '#core/review/screening';
import { paidStates, type TransferState } from '#core/transfers/states';
import { type EntityManager, runSql } from '#platform/database/database';
import { UnreadablePersonalData } from '#platform/personal-data';
import { readPhone } from '../personal-data/personal-data.ts';
import { type LastDayRow, lastDaySql, toLastDay } from '../transfers/last-day.ts';
import { sqlList } from '../transfers/transfer-figures.repository.ts';

/** The review facts stored with the transfers themselves. */
export type TransferFacts = Omit<ReviewFacts, 'screening'>;

/** All information for the review of a transfer. */
export interface KnownOfTransfer {
  readonly facts: TransferFacts;
  /** The card amount, in minor units of the sending currency. */
  readonly amountMinor: bigint;
  /** Null before its review has started. */
  readonly review: KnownReview | null;
  /** Its first approval, while it awaits a second person's. */
  readonly approval: { readonly id: string; readonly by: string; readonly byId: string; readonly at: Date } | null;
  /** Other transfers that share something with it, newest first. */
  readonly similar: readonly SimilarTransfer[];
}

/** The review of a transfer, with the names of the people it mentions. */
export interface KnownReview {
  readonly version: number;
  readonly screeningStatus: ScreeningStatus;
  readonly attempts: number;
  readonly nextAttemptAt: Date | null;
  readonly checkedAt: Date | null;
  readonly hits: readonly ScreeningHit[];
  readonly note: string | null;
  readonly notedBy: string | null;
  readonly claimedBy: string | null;
  readonly claimedById: string | null;
  readonly claimedUntil: Date | null;
}

/** A transfer that shares something with another one. */
export interface SimilarTransfer {
  readonly id: string;
  readonly createdAt: Date;
  readonly sender: string;
  readonly recipient: string;
  readonly currency: SendCurrency;
  readonly amountMinor: bigint;
  readonly state: TransferState;
  readonly same: readonly ('account' | 'card' | 'amount')[];
}

/**
 * The review facts of authorized transfers, their senders and accounts, with the reviews themselves, by transfer id:
 * one statement for all of them, each part by an index.
 */
export async function findKnown(em: EntityManager, ids: readonly string[]): Promise<Map<string, KnownOfTransfer>> {
  const rows = await runSql<KnownRow>(em, readKnown, [ids]);
  const known = rows.map(async (row) => {
    const sender = { id: row.sender_id, phone: row.phone, phoneSealed: row.phone_sealed };
    const phone = await readPhone(em, sender).catch((error) => {
      // One damaged row must not hide the whole queue.
      if (error instanceof UnreadablePersonalData) return null;
      throw error;
    });
    return [row.id, knownOf({ ...row, phone })] as const;
  });
  return new Map(await Promise.all(known));
}

/** Times as PostgreSQL writes them. */
type KnownRow = FactsRow & {
  review: (Record<DateOf<KnownReview>, string | null> & Omit<KnownReview, DateOf<KnownReview>>) | null;
  approval: { id: string; by: string; byId: string; at: string } | null;
  similar: (Omit<SimilarTransfer, 'createdAt' | 'amountMinor'> & { createdAt: string; amountMinor: string })[];
};
type DateOf<Row> = { [Key in keyof Row]: Date extends Row[Key] ? Key : never }[keyof Row];

const moment = (text: string | null) => (text === null ? null : new Date(text));

function knownOf({ review, approval, similar, ...row }: KnownRow): KnownOfTransfer {
  return {
    facts: factsOf(row),
    amountMinor: BigInt(row.amount),
    review: review && {
      ...review,
      nextAttemptAt: moment(review.nextAttemptAt),
      checkedAt: moment(review.checkedAt),
      claimedUntil: moment(review.claimedUntil),
    },
    approval: approval && { ...approval, at: new Date(approval.at) },
    similar: similar.map(({ createdAt, amountMinor, ...one }) => {
      return { ...one, createdAt: new Date(createdAt), amountMinor: BigInt(amountMinor) };
    }),
  };
}

interface FactsRow {
  id: string;
  usd: string;
  earlier: number;
  earlier_to_account: number | null;
  senders_to_account: number;
  day_count: number;
  day_usd: string;
  day_largest: string;
  week_usd: string;
  history_count: number;
  history_usd: string;
  last_day: LastDayRow;
  limited_day: string;
  limited_month: string;
  tier: Tier;
  card_country: string | null;
  shared_card: ReviewFacts['sharedCard'];
  card_risk: ReviewFacts['cardRisk'];
  fraud_warning: string | null;
  repeated: ReviewFacts['repeated'];
  amount: string;
  declined: ReviewFacts['declined'];
  paid_at: string;
  device_since: string | null;
  account_since: string;
  phone: string | null;
  phone_sealed: string | null;
  sender_id: string;
  name_check: ReviewFacts['nameCheck'];
  names: string[];
}

function factsOf(row: FactsRow): TransferFacts {
  return {
    usdMinor: BigInt(row.usd),
    earlier: row.earlier,
    earlierToAccount: row.earlier_to_account,
    sendersToAccount: row.senders_to_account,
    day: { count: row.day_count, usdMinor: BigInt(row.day_usd), largestUsdMinor: BigInt(row.day_largest) },
    lastDay: toLastDay(row.last_day),
    weekUsdMinor: BigInt(row.week_usd),
    history: { count: row.history_count, usdMinor: BigInt(row.history_usd) },
    limited: { dayUsdMinor: BigInt(row.limited_day), monthUsdMinor: BigInt(row.limited_month) },
    tier: row.tier,
    cardCountry: row.card_country,
    sharedCard: row.shared_card,
    cardRisk: row.card_risk,
    fraudWarning: row.fraud_warning,
    repeated: row.repeated,
    declined: row.declined,
    device: {
      paidAt: new Date(row.paid_at),
      since: moment(row.device_since),
      accountSince: new Date(row.account_since),
    },
    phoneCountries: countriesOfPhone(row.phone),
    nameCheck: row.name_check,
    names: row.names,
  };
}

const sum = (condition: string) => `coalesce(sum(o.usd_minor) filter (where ${condition}), 0)::text`;
const day = `o.paid_at > t.paid_at - interval '24 hours'`;
const week = `o.paid_at > t.paid_at - interval '7 days'`;
const counted = `o.state in (${sqlList(paidStates)})`;

const nameSql = (id: string) => `(select name from app_user where id = ${id})`;

/**
 * Earlier payments of a sender, and those to the same account, are counted up to this number; only zero or nonzero
 * matters.
 */
const maxEarlier = 100;
const maxEarlierToAccount = 10;

/**
 * Maximum payments of a sender's last 91 days that are read, newest first: as many of the minimum amount as fit in a
 * month's limit. Ignoring more can only lower the usual week, never raise it.
 */
const maxRecent = 1000;

/** SQL: the newest payments of the sender of a transfer `t` in the `days` before it and since, by a covering index. */
const recentSql = (days: number) => `(
  select id, usd_minor, amount_minor, state, paid_at from transfer
  where user_id = t.user_id and paid_at > t.paid_at - interval '${days} days'
  order by paid_at desc limit ${maxRecent})`;

const toSameAccount = `o.payout_target -> 'hashes' ->> 'account' = t.payout_target -> 'hashes' ->> 'account'`;

/** Deliberately not an equality, for which PostgreSQL would use the index of senders and read everything they paid. */
const ofSameSender = 'o.user_id is not distinct from t.user_id';

/** Maximum similar transfers shown with one. */
const maxSimilar = 5;

/**
 * SQL: the newest paid transfers to the same account as a transfer `t`, by the same card, or of the same sender with the same amount within
 * 30 days.
 */
const similarSql = `
  select o.id, o.created_at as "createdAt", u.name as sender, coalesce(o.payout_target ->> 'name', '') as recipient, o.currency,
    o.amount_minor::text as "amountMinor", o.state, array_agg(distinct m.same order by m.same) as same
  from (
    (select id, 'account' as same from transfer
     where payout_target -> 'hashes' ->> 'account' = t.payout_target -> 'hashes' ->> 'account' and paid_at is not null
     order by paid_at desc limit ${maxSimilar + 1})
    union all
    (select id, 'card' from transfer
     where card_last4 = t.card_last4 and card_brand = t.card_brand and paid_at is not null
     order by paid_at desc limit ${maxSimilar + 1})
    union all
    (select r.id, 'amount' from ${recentSql(30)} as r join transfer as of_amount on of_amount.id = r.id
     where r.amount_minor = t.amount_minor and of_amount.currency = t.currency
     order by r.paid_at desc limit ${maxSimilar + 1})
  ) as m
  join transfer as o on o.id = m.id
  join app_user as u on u.id = o.user_id
  where m.id <> t.id
  group by o.id, u.name
  order by o.created_at desc, o.id limit ${maxSimilar}`;

/** SQL: paid transfers of the sender of a transfer `t` within a day of it, with its amount and account, and the ms to the nearest of them. */
const repeatedSql = `
  select jsonb_build_object('count', count(*), 'nearestMs', min(abs(extract(epoch from o.paid_at - t.paid_at))) * 1000)
  from ${recentSql(1)} as r join transfer as o on o.id = r.id
  where r.amount_minor = t.amount_minor and o.id <> t.id and o.currency = t.currency and ${toSameAccount}
    and r.paid_at < t.paid_at + interval '1 day' and ${counted}
  having count(*) > 0`;

const readKnown = `
    select t.id, t.usd_minor::text as usd, t.card_country, t.card_risk, t.fraud_warning,
      t.amount_minor::text as amount, u.phone, u.phone_sealed, u.tier,
      to_jsonb(array_remove(array[u.name::text, t.payout_target ->> 'name'], null)) as names,
      coalesce(t.paid_at, t.created_at) as paid_at, u.created_at as account_since, u.id as sender_id, own.*, a.*,
      (select count(*)::int from (select from transfer as o where o.user_id = t.user_id and o.paid_at < t.paid_at limit ${maxEarlier}) as o)
        as earlier,
      (select jsonb_build_object('version', r.version, 'screeningStatus', r.screening_status, 'attempts', r.attempts,
         'nextAttemptAt', r.next_attempt_at, 'checkedAt', r.checked_at, 'hits', r.hits, 'note', r.note,
         'notedBy', ${nameSql('r.noted_by_id')}, 'claimedBy', ${nameSql('r.claimed_by_id')}, 'claimedById', r.claimed_by_id,
         'claimedUntil', r.claimed_until)
       from review as r where r.transfer_id = t.id) as review,
      (select jsonb_build_object('id', d.id, 'by', ${nameSql('d.requested_by_id')}, 'byId', d.requested_by_id, 'at', d.requested_at)
       from desk_request as d where d.transfer_id = t.id and d.action = 'approve' and d.outcome is null) as approval,
      (select jsonb_build_object('count', count(*), 'cards', count(distinct d.card)) from declined_attempt as d
       where d.user_id = t.user_id and d.at > t.paid_at - interval '24 hours') as declined,
      (select jsonb_build_object('accounts', count(*), 'blocked', count(*) filter (where other.blocked_at is not null)) from app_user as other
       where other.id <> t.user_id and other.id in (select o.user_id from transfer as o
         where o.card_fingerprint = t.card_fingerprint and o.paid_at is not null)) as shared_card,
      (${repeatedSql}) as repeated, ${lastDaySql} as last_day,
      (select device_since from payment_origin where transfer_id = t.id) as device_since,
      array(select to_jsonb(s) from (${similarSql}) as s) as similar,
      (select jsonb_build_object('status', c.status, 'typed', c.name, 'bankSays', c.bank_says, 'confirmed', c.confirmed_at is not null)
       from name_check as c
       where c.recipient_id = t.recipient_id and c.name = t.payout_target ->> 'name' and c.bank_name = t.payout_target ->> 'bankName'
         and c.account_hash = t.payout_target -> 'hashes' ->> 'account'
       order by c.asked_at desc limit 1) as name_check
    from transfer as t
    join app_user as u on u.id = t.user_id
    cross join lateral (
      select count(*) filter (where ${day})::int as day_count, ${sum(day)} as day_usd,
        coalesce(max(o.usd_minor) filter (where ${day}), 0)::text as day_largest, ${sum(week)} as week_usd,
        count(*) filter (where not (${week}))::int as history_count, ${sum(`not (${week})`)} as history_usd,
        ${sum(`${day} and ${counted}`)} as limited_day,
        ${sum(`o.paid_at > t.paid_at - interval '30 days' and ${counted}`)} as limited_month
      from ${recentSql(91)} as o
    ) as own
    cross join lateral (
      select case when t.payout_target is null then null
          else (select count(*)::int from (select from transfer as o
            where ${toSameAccount} and ${ofSameSender} and o.paid_at < t.paid_at limit ${maxEarlierToAccount}) as o)
        end as earlier_to_account,
        (select count(distinct o.user_id)::int from transfer as o
         where ${toSameAccount} and o.paid_at > t.paid_at - interval '30 days') as senders_to_account
    ) as a
    where t.id = any ($1::uuid[])`;
