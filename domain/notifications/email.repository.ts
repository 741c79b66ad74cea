import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { amountText, currency, rateText, timestamp } from '#core/contracts/http/values';
import { caseReasonNames } from '#core/operations/desk-case';
import { guardRails } from '#core/rates/guard-rails';
import { formatRate } from '#core/rates/rate';
import { dayMs, minuteMs } from '#core/time/time';
import type { EntityManager } from '#platform/database/database';
import { addJob } from '#platform/outbox/outbox';
import { findAdmins, findUser } from '../accounts/account.repository.ts';
import type { RateChange } from '../rates/rate-change.repository.ts';
import { Email } from './email.entity.ts';

export type { Email } from './email.entity.ts';

/** Until when another account may be named; e-mails of an earlier version have no such date. */
const correctBy = timestamp.nullable().default(null);
/** What the e-mail's link opens; e-mails of an earlier version lead to the whole panel. */
const transferId = z.uuid().nullable().default(null);
const caseId = z.uuid().nullable().default(null);

/** Every kind of e-mail with its data; the texts are in `email-texts-es.ts` and `email-texts-en.ts`. */
export const emailKinds = {
  /** To a person who forgot the password. Its link is created when it is sent and never stored. */
  password_recovery: z.object({ resetId: z.uuid() }),
  /** To a person whose password was changed with such a link. */
  password_changed: z.object({ changedAt: timestamp }),
  /** To a sender: the rate they waited for was reached. */
  rate_alert: z.object({ currency, rate: rateText, firedRate: rateText }),
  /** To every admin: nothing recent is known of a currency, so nobody can pay in it. */
  rates_paused: z.object({ currency, lastUpdatedAt: timestamp }),
  rates_resumed: z.object({ currency, rate: rateText, pausedAt: timestamp }),
  /** To every admin but the one who asked: a change of rate waits for a second person. */
  rate_change_waiting: z.object({
    currency,
    rate: rateText,
    previousRate: rateText.nullable(),
    setBy: z.string(),
    reason: z.string().nullable(),
    guardRails: z.array(z.enum(guardRails)),
  }),
  /** To a sender: the bank refused or returned the payout; another account, or the money back. */
  payout_failed: z.object({
    amount: amountText,
    currency,
    bolivianos: amountText,
    returned: z.boolean(),
    correctBy,
    transferId,
  }),
  /** The same again, some days later. */
  account_reminder: z.object({ amount: amountText, currency, bolivianos: amountText, correctBy, transferId }),
  /** To a sender: they named no other account in time, and the money goes back. */
  account_not_corrected: z.object({ amount: amountText, currency, transferId }),
  /** To every admin: something needs a person, or still does after a day. */
  case_opened: z.object({ reason: z.enum(caseReasonNames), amount: amountText, currency, transferId, caseId }),
  case_old: z.object({ reason: z.enum(caseReasonNames), amount: amountText, currency, transferId, caseId }),
  /** To every admin but the one who asked: an action about a case waits for a second person. */
  desk_request_waiting: z.object({
    requestedBy: z.string(),
    reason: z.string(),
    amount: amountText,
    currency: z.enum(['EUR', 'USD', 'BOB']),
    transferId,
    caseId,
  }),
} as const;
export type EmailKind = keyof typeof emailKinds;
export type EmailData<Kind extends EmailKind> = z.infer<(typeof emailKinds)[Kind]>;

interface NewEmail<Kind extends EmailKind> {
  readonly kind: Kind;
  /** Identifies the occasion: a second e-mail with the same key is not written. */
  readonly key: string;
  readonly data: EmailData<Kind>;
  readonly at: Date;
}

/** Queues an e-mail in the transaction of `em`; once per key, however often it is called. */
export async function addEmail<Kind extends EmailKind>(
  em: EntityManager,
  { kind, key, data, at, userId }: NewEmail<Kind> & { readonly userId: string },
): Promise<void> {
  const mailId = randomUUID();
  const { affectedRows } = await em
    .createQueryBuilder(Email)
    .insert({ id: mailId, key, userId, kind, data: emailKinds[kind].parse(data), createdAt: at })
    .onConflict('key')
    .ignore()
    .execute();
  if (affectedRows > 0) addJob(em, 'send-mail', { mailId });
}

/** Queues an e-mail to every admin but `exceptId`. */
export async function addEmailToAdmins<Kind extends EmailKind>(
  em: EntityManager,
  email: NewEmail<Kind> & { readonly exceptId?: string },
): Promise<void> {
  for (const { id } of await findAdmins(em)) {
    if (id !== email.exceptId) await addEmail(em, { ...email, key: `${email.key}-${id}`, userId: id });
  }
}

/**
 * Tells every admin but the one who asked that a change of rate waits for a second person; once each time it begins to wait.
 */
export async function emailWaitingChange(em: EntityManager, change: RateChange, at: Date): Promise<void> {
  const { id, currency, rate, previousRate, proposedById, awaitingSince, reason, guardRails: rails } = change;
  const setBy = (await findUser(em, proposedById))?.name ?? '';
  await addEmailToAdmins(em, {
    kind: 'rate_change_waiting',
    key: `rate_change_waiting-${id}-${awaitingSince?.getTime()}`,
    data: {
      currency,
      rate: formatRate(rate),
      previousRate: previousRate == null ? null : formatRate(previousRate),
      setBy,
      reason: reason ?? null,
      guardRails: [...rails],
    },
    at,
    exceptId: proposedById,
  });
}

/** How long an e-mail that could not be sent is tried again, in ms; later its news is stale. */
const worthSendingMs = 2 * dayMs;

/** E-mails that wait to be sent and were written before `before`, the oldest first. */
export function findUnsentEmails(
  em: EntityManager,
  input: { now: Date; before: Date; limit: number },
): Promise<Email[]> {
  const since = new Date(input.now.getTime() - worthSendingMs);
  return em.find(
    Email,
    { sentAt: null, refusedAt: null, createdAt: { $gt: since, $lte: input.before } },
    { orderBy: { createdAt: 'asc' }, limit: input.limit },
  );
}

/** How long a worker may take to send an e-mail (ms) before another may try; above the mail server's time limits. */
const claimMs = 2 * minuteMs;

/**
 * Claims an e-mail for sending, in the transaction of `em`: of two jobs one gets it. Null when it was sent or refused, does not
 * exist, or is being sent.
 */
export async function claimEmail(em: EntityManager, id: string, at: Date): Promise<Email | null> {
  const expired = new Date(at.getTime() - claimMs);
  const claimed = await em.nativeUpdate(
    Email,
    { id, sentAt: null, refusedAt: null, $or: [{ claimedAt: null }, { claimedAt: { $lt: expired } }] },
    { claimedAt: at },
  );
  return claimed === 0 ? null : em.findOne(Email, { id }, { refresh: true });
}

/** Records what became of a claimed e-mail; `unclaimed` lets the next attempt begin at once. */
export async function finishEmail(
  em: EntityManager,
  id: string,
  result: 'sent' | 'refused' | 'unclaimed',
  at: Date,
): Promise<void> {
  const changes = { sent: { sentAt: at }, refused: { refusedAt: at }, unclaimed: { claimedAt: null } };
  await em.nativeUpdate(Email, { id }, changes[result]);
}

/** Removes an e-mail that is not worth sending any more. */
export async function removeEmail(em: EntityManager, id: string): Promise<void> {
  await em.nativeDelete(Email, { id });
}

/** Deletes e-mails written before a moment. */
export async function deleteEmails(em: EntityManager, before: Date): Promise<void> {
  await em.nativeDelete(Email, { createdAt: { $lt: before } });
}
