import { statesUnderWay } from '#core/transfers/states';
import type { Database, EntityManager } from '#platform/database/database';
import { noPassword } from '../accounts/account.repository.ts';
import { endPendingChanges } from '../sign-in/pending-changes.repository.ts';

/** What prevents closing an account. */
export interface ReasonsToStay {
  /** Transfers whose card is authorized or charged and whose money has not arrived. */
  readonly transfers: number;
  /** Complaints awaiting an answer or a correction. */
  readonly complaints: number;
  /** Transfers with an open case, such as a dispute. */
  readonly cases: number;
}

/** Counts what prevents closing a user's account. */
export async function countReasonsToStay(em: EntityManager, userId: string): Promise<ReasonsToStay> {
  const [counts] = await em.execute<[ReasonsToStay]>(
    `select
       (select count(*)::int from transfer where user_id = ? and state in (${statesUnderWay.map(() => '?').join(', ')})) as transfers,
       (select count(*)::int from complaint where sender_id = ? and closed_at is null) as complaints,
       (select count(distinct c.transfer_id)::int from desk_case as c join transfer as t on t.id = c.transfer_id
        where t.user_id = ? and c.resolved_at is null) as cases`,
    [userId, ...statesUnderWay, userId, userId],
  );
  return counts;
}

/**
 * Removes the data of a closed account that no law requires, in the transaction of `em`. Name, date of birth, e-mail
 * address and password stay for now: transfers need the first two, and the others let the user learn at sign-in that
 * the account is closed (`eraseClosedAccounts`).
 */
export async function removePersonalData(em: EntityManager, userId: string, at: Date): Promise<void> {
  await em.execute(
    `update app_user set phone = null, phone_sealed = null, phone_hash = null, city = null, occupation = null, last_active_at = null, preferred_currency = null, muted_emails = '{}'
     where id = ?`,
    [userId],
  );
  // Transfers reference these rows and have a copy of what they need.
  await em.execute(
    `update recipient set name = '', email = '', phone = '', ci = '', bank_name = '', bank_account = '', address = '', city = '',
       relationship = '', sealed = null, account_hash = null, removed_at = coalesce(removed_at, ?)
     where user_id = ?`,
    [at, userId],
  );
  for (const table of [
    'name_check',
    'session',
    'known_device',
    'pending_sign_in',
    'second_factor',
    'recovery_code',
    'webauthn_credential',
    'rate_alert',
    'repeat_plan',
    'password_recovery',
    'email_change',
    'account_change',
    'email_proof',
  ])
    await em.execute(`delete from ${table} where user_id = ?`, [userId]);
  await em.execute('delete from webauthn_challenge where creator_id = ?', [userId]);
  await em.execute('delete from mail where user_id = ? and next_attempt_at is null', [userId]);
}

/**
 * Stops all activity of a closed account on legal hold without removing data, in the transaction of `em`.
 * `removeLifted` removes it once the hold is lifted.
 */
export async function keepHeldData(em: EntityManager, userId: string, at: Date): Promise<void> {
  await em.execute('update app_user set erasure_due_at = ? where id = ?', [at, userId]);
  // Not `endSessions`, which deletes push subscriptions; open sessions are the only ones notified anyway.
  await em.execute('update session set ended_at = ? where user_id = ? and ended_at is null', [at, userId]);
  await em.execute('delete from pending_sign_in where user_id = ?', [userId]);
  await em.execute(`update repeat_plan set state = 'ended', changed_at = ? where user_id = ? and state <> 'ended'`, [
    at,
    userId,
  ]);
  await em.execute('update recipient set removed_at = coalesce(removed_at, ?) where user_id = ?', [at, userId]);
  await endPendingChanges(em, [userId], at);
}

/** Removes the data of closed accounts whose legal hold has been lifted, one transaction per account. */
export async function removeLifted(database: Database): Promise<void> {
  const due = `erasure_due_at is not null and legal_hold_at is null and closed_at is not null`;
  const people = await database
    .fork()
    .execute<{ id: string }[]>(`select id from app_user where ${due} order by erasure_due_at`);
  for (const { id } of people)
    await database.transaction(async (em) => {
      // Skip it if a new hold was set since.
      const [lifted] = await em.execute<{ at: string | Date }[]>(
        `select erasure_due_at as at from app_user where id = ? and ${due} for no key update`,
        [id],
      );
      if (!lifted) return;
      await removePersonalData(em, id, new Date(lifted.at));
      await em.execute('update app_user set erasure_due_at = null where id = ?', [id]);
    });
}

/**
 * Erases the identity of closed accounts that no transfer needs any more, with their identity checks and files:
 * accounts that never paid a transfer when closed before `never`, others when closed before `paid`. Skips accounts on
 * legal hold. In the transaction of `em`.
 */
export async function eraseClosedAccounts(
  em: EntityManager,
  { never, paid }: { never: Date; paid: Date },
): Promise<void> {
  const erased = await em.execute<{ id: string }[]>(
    `update app_user set email = id || '@closed.invalid', name = '', birth_date = null, password_hash = ?, email_verified_at = null
     where password_hash <> ? and closed_at < ? and legal_hold_at is null
       and (closed_at < ? or not exists (select from transfer where user_id = app_user.id and paid_at is not null))
     returning id`,
    [noPassword, noPassword, never, paid],
  );
  const ids = `{${erased.map(({ id }) => id).join(',')}}`;
  await em.execute('delete from attachment where uploaded_by_id = any (?::uuid[])', [ids]);
  await em.execute('delete from identity_check where user_id = any (?::uuid[])', [ids]);
}
