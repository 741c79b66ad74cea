import { type DeclineCounts, type DeclineLimits, declineWindowsMs } from '#core/transfers/declines';
import { currentCaller } from '#platform/caller';
import { type EntityManager, runSql } from '#platform/database/database';
import { notOnLegalHold } from '../accounts/legal-hold.repository.ts';
import { hashSecret } from '../accounts/passwords.ts';
import { DeclinedAttempt, PaymentOrigin } from './declined-attempt.entity.ts';
import { declinedEvent } from './stripe-event.repository.ts';

/**
 * Records the origin of the current call, which opens or resumes a transfer's payment, or sets its recipient. A browser
 * that never signed in to the account is new to it.
 */
export async function noteOrigin(em: EntityManager, transferId: string, at: Date): Promise<void> {
  const caller = currentCaller();
  const device = caller?.device ? hashSecret(caller.device) : null;
  await em.execute(
    `insert into payment_origin as o (transfer_id, network, device, device_since, at)
     select t.id, ?, ?, case when ?::boolean then coalesce(d.first_sign_in_at, ?) end, ?
     from transfer as t left join known_device as d on d.user_id = t.user_id and d.secret_hash = ? where t.id = ?
     on conflict (transfer_id) do update
     set network = excluded.network, device = coalesce(excluded.device, o.device), at = excluded.at, device_since = greatest(o.device_since, excluded.device_since)`,
    [caller?.network ?? null, device, caller !== undefined, at, at, device, transferId],
  );
}

/** Stores declined attempts at a transfer's payment; stored ones are kept. */
export async function storeDeclines(
  em: EntityManager,
  transferId: string,
  attempts: readonly { readonly chargeId: string; readonly card: string | null; readonly at: Date }[],
): Promise<void> {
  await em.execute(
    `insert into declined_attempt (charge_id, transfer_id, user_id, network, card, at)
     select a."chargeId", t.id, t.user_id, o.network, a.card, a.at
     from jsonb_to_recordset(?::jsonb) as a ("chargeId" text, card text, at timestamptz)
     join transfer as t on t.id = ? left join payment_origin as o on o.transfer_id = t.id
     on conflict (charge_id) do nothing`,
    [JSON.stringify(attempts), transferId],
  );
}

/** SQL: relevant declined attempts that match a condition; $2: the moment. */
const within = (of: keyof DeclineLimits, condition: string) => `(
  select count(*)::int from declined_attempt as d
  where ${condition} and d.at > $2::timestamptz - interval '${declineWindowsMs[of]} milliseconds'
)`;

const countThem = `
    select ${within('account', 'd.user_id = t.user_id')} as account, ${within('network', 'd.network = o.network')} as network,
      -- Of the cards that were tried for the transfer the one that was declined most.
      coalesce((
        select max(${within('card', 'd.card = tried.card')})
        from (select distinct card from declined_attempt where transfer_id = t.id) as tried
      ), 0) as card,
      -- Attempts that ended at 3-D Secure have no charge.
      (select count(*)::int from stripe_event where payment_intent_id = t.payment_intent_id and type = '${declinedEvent}') as transfer
    from transfer as t left join payment_origin as o on o.transfer_id = t.id where t.id = $1`;

/** The relevant declined attempts for a transfer at a moment. */
export async function countDeclines(em: EntityManager, transferId: string, at: Date): Promise<DeclineCounts> {
  const [counts] = await runSql<DeclineCounts>(em, countThem, [transferId, at]);
  return counts ?? { account: 0, network: 0, card: 0, transfer: 0 };
}

/** Until when declined cards block an account, or the network of the current call; null: not blocked. */
export async function closedByDeclines(
  em: EntityManager,
  userId: string,
  { at, limits }: { at: Date; limits: DeclineLimits },
): Promise<Date | null> {
  const until = async (of: 'account' | 'network', where: { userId: string } | { network: string }) => {
    const counts = { ...where, at: { $gt: new Date(at.getTime() - declineWindowsMs[of]) } };
    const page = { orderBy: { at: 'desc' }, offset: limits[of] - 1, limit: 1 } as const;
    const [attempt] = await em.find(DeclinedAttempt, counts, page);
    return attempt ? attempt.at.getTime() + declineWindowsMs[of] : 0;
  };
  const network = currentCaller()?.network;
  const last = Math.max(await until('account', { userId }), network ? await until('network', { network }) : 0);
  return last === 0 ? null : new Date(last);
}

/** Deletes attempts and origins from before a moment. */
export async function deleteDeclines(em: EntityManager, before: Date): Promise<void> {
  await em.nativeDelete(DeclinedAttempt, { at: { $lt: before }, ...notOnLegalHold() });
  await em.nativeDelete(PaymentOrigin, { at: { $lt: before }, ...notOnLegalHold('transfer_id') });
}
