import type { EmailKind } from './email-kinds.ts';

// E-mails that a change of a transfer brings to its sender: written by the statement of the change (transfers/move.repository.ts),
// so that the step and its e-mail are one commit and cost no statement of their own.

/** Kinds that a step brings; without a recipient a hold brings `transfer_without_recipient`. */
export type StepEmail = Extract<
  EmailKind,
  | 'transfer_held'
  | 'transfer_approved'
  | 'transfer_cancel_requested'
  | 'transfer_paid'
  | 'transfer_received'
  | 'transfer_rejected'
  | 'transfer_cancelled'
  | 'transfer_ended'
  | 'transfer_refunded'
  | 'payout_delayed'
>;

/** SQL: an amount of `changed` as decimal text. */
export const decimalSql = (column: string) => `(changed.${column} / 100.0)::numeric(30, 2)::text`;
/** SQL: a rate of `changed` as decimal text, with two decimals at least. */
const rateSql = (column: string) => `to_char(changed.${column} / 1000000.0, 'FM999990.009999')`;
const gainedSql = `((changed.bolivianos_minor - changed.accepted_bolivianos_minor) / 100.0)::numeric(30, 2)::text`;
/** SQL: a moment as ISO text in UTC. */
export const isoSql = (moment: string) => `to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** SQL: what of the refunds of a transfer in `changed` was paid by bank transfer, and the number of the last of those. */
const refundSql = `(
        select jsonb_build_object('byBank', (coalesce(sum(o.amount_minor), 0) / 100.0)::numeric(30, 2)::text,
          'refundReference', (array_agg(o.provider_reference order by o.sequence desc))[1])
        from operation as o
        where o.transfer_id = changed.id and o.kind = 'refund' and o.status = 'succeeded' and o.provider = 'manual')`;

/** SQL: whether a person paid the family of a transfer in `changed` by other means than its payout. */
const byHandSql = `jsonb_build_object('byHand', exists (
        select from operation as o where o.transfer_id = changed.id and o.kind = 'payout' and o.provider = 'manual'))`;

/** SQL: whether a case says that the card of a transfer in `changed` may have been charged, in Stripe's dashboard for example. */
const mayBeChargedSql = `jsonb_build_object('mayBeCharged', exists (
        select from desk_case as c where c.transfer_id = changed.id and c.reason in ('captured_in_part', 'contradiction')
          and c.resolved_at is null))`;

/** SQL: what an e-mail says besides what each of them does. */
const moreSql: Partial<Readonly<Record<StepEmail, string>>> = {
  transfer_paid: byHandSql,
  transfer_refunded: refundSql,
  transfer_rejected: mayBeChargedSql,
  transfer_cancelled: mayBeChargedSql,
  transfer_ended: mayBeChargedSql,
};

/** SQL: part of a `with` that writes the e-mail of each transfer in `changed`; $2: the moment. */
export function mailedSql(email: StepEmail): string {
  const kind =
    email === 'transfer_held'
      ? `case when changed.payout_target is null then 'transfer_without_recipient' else 'transfer_held' end`
      : `'${email}'`;
  // A payment that was given up before anything was held is nothing to write about.
  const only = email === 'transfer_cancelled' ? 'where changed.paid_at is not null' : '';
  return `mailed as (
    insert into mail (id, key, user_id, kind, data, created_at, next_attempt_at, request_id)
    select gen_random_uuid(), 'transfer-' || changed.id || '-' || changed.version, changed.user_id, step.kind,
      jsonb_build_object(
        'transferId', changed.id, 'at', ${isoSql('$2::timestamptz')},
        'amount', ${decimalSql('amount_minor')}, 'currency', changed.currency,
        'bolivianos', ${decimalSql('bolivianos_minor')}, 'returned', ${decimalSql('returned_minor')},
        'bank', changed.payout_target ->> 'bankName',
        'account', right(regexp_replace(changed.payout_target ->> 'bankAccount', '\\D', '', 'g'), 4),
        'reference', changed.payout_reference, 'reason', changed.reason,
        'rejectionCode', changed.rejection_code,
        'better', case when changed.accepted_rate is not null then jsonb_build_object('rate', ${rateSql('rate')},
          'accepted', ${rateSql('accepted_rate')}, 'gained', ${gainedSql}) end,
        'arrival', ${isoSql('changed.estimated_delivery')},
        'cancelRequestedAt', ${isoSql('changed.cancel_requested_at')}
      )${moreSql[email] ? ` || ${moreSql[email]}` : ''}, $2, $2, changed.asked ->> 'requestId'
    from changed
      cross join lateral (select ${kind} as kind) as step
      join app_user on app_user.id = changed.user_id and step.kind <> all (app_user.muted_emails)
    ${only}
    on conflict (key) do nothing
  )`;
}
