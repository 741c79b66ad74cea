import { statesUnderWay } from '#core/transfers/states';
import type { Database, EntityManager } from '#platform/database/database';
import { noPassword } from '../accounts/account.repository.ts';
import { endPendingChanges } from '../sign-in/pending-changes.repository.ts';

/** What an account cannot be closed with. */
export interface ReasonsToStay {
  /** Transfers whose card is held or charged and whose money is not where it belongs. */
  readonly transfers: number;
  /** Complaints that wait for an answer or a correction. */
  readonly complaints: number;
  /** Transfers about which something is being settled, as with a dispute. */
  readonly cases: number;
}

/** Counts what keeps a person's account open. */
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
 * Removes what no law needs of a closed account, in the transaction of `em`. Name, date of birth, e-mail address and password stay
 * for now: the first two belong to transfers, the others let its person learn that it is closed (`eraseClosedAccounts`).
 */
export async function removePersonalData(em: EntityManager, userId: string, at: Date): Promise<void> {
  await em.execute(
    `update app_user set phone = null, phone_sealed = null, phone_hash = null, city = null, occupation = null, last_active_at = null, preferred_currency = null, muted_emails = '{}'
     where id = ?`,
    [userId],
  );
  // Rows stay for the transfers that name them; those have their own copy of what they need.
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
 * Stops everything of a closed account on legal hold without removing any of it, in the transaction of `em`; what stays is removed
 * once the hold is lifted (`removeLifted`).
 */
export async function keepHeldData(em: EntityManager, userId: string, at: Date): Promise<void> {
  await em.execute('update app_user set erasure_due_at = ? where id = ?', [at, userId]);
  // Not `endSessions`, which forgets their notifications; those are sent to open sessions only.
  await em.execute('update session set ended_at = ? where user_id = ? and ended_at is null', [at, userId]);
  await em.execute('delete from pending_sign_in where user_id = ?', [userId]);
  await em.execute(`update repeat_plan set state = 'ended', changed_at = ? where user_id = ? and state <> 'ended'`, [
    at,
    userId,
  ]);
  await em.execute('update recipient set removed_at = coalesce(removed_at, ?) where user_id = ?', [at, userId]);
  await endPendingChanges(em, [userId], at);
}

/** Removes what was kept of closed accounts whose legal hold has been lifted: each person's with a commit of its own. */
export async function removeLifted(database: Database): Promise<void> {
  const due = `erasure_due_at is not null and legal_hold_at is null and closed_at is not null`;
  const people = await database
    .fork()
    .execute<{ id: string }[]>(`select id from app_user where ${due} order by erasure_due_at`);
  for (const { id } of people)
    await database.transaction(async (em) => {
      // Held anew meanwhile, it stays.
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
 * Erases who closed accounts were, with the checks of who they are and the files that they added, where no transfer needs it: without one that was
 * ever paid when closed before `never`, with one when closed before `paid`. Who is on legal hold stays. In the transaction of `em`.
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
