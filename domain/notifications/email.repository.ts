import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { currency, rateText, timestamp } from '#core/contracts/http/values';
import { guardRails } from '#core/rates/guard-rails';
import { formatRate } from '#core/rates/rate';
import { dayMs } from '#core/time/time';
import type { EntityManager } from '#platform/database/database';
import { addJob } from '#platform/outbox/outbox';
import { User } from '../accounts/account.entity.ts';
import type { RateChange } from '../rates/rate-change.repository.ts';
import { Mail } from './email.entity.ts';

/** Every e-mail there is, with what it is about. What it says stands in the worker's letters, one per kind. */
export const mailKinds = {
  /** To whoever forgot a password. Its link is made when it is sent and stands nowhere here. */
  password_recovery: z.object({ recoveryId: z.uuid() }),
  /** To whoever's password was changed with such a link. */
  password_changed: z.object({ changedAt: timestamp }),
  /** To a sender: the rate they waited for was reached. */
  rate_alert: z.object({ currency, rate: rateText, firedRate: rateText }),
  /** To every admin: nothing recent is known of a currency, so nobody can pay in it. */
  rates_paused: z.object({ currency, heardAt: timestamp }),
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
} as const;
export type MailKind = keyof typeof mailKinds;
export type MailData<Kind extends MailKind> = z.infer<(typeof mailKinds)[Kind]>;

interface Letter<Kind extends MailKind> {
  readonly kind: Kind;
  /** What it is about, once and for all: whoever asks again with the same key writes nothing. */
  readonly key: string;
  readonly data: MailData<Kind>;
  readonly at: Date;
}

/** Writes an e-mail down and asks for it to be sent, in the transaction of `em`; once per key, whoever asks again. */
export async function addMail<Kind extends MailKind>(
  em: EntityManager,
  { kind, key, data, at, userId }: Letter<Kind> & { readonly userId: string },
): Promise<void> {
  const mailId = randomUUID();
  const written = await em.execute(
    `insert into mail (id, key, user_id, kind, data, created_at) values (?, ?, ?, ?, ?::jsonb, ?)
      on conflict (key) do nothing returning id`,
    [mailId, key, userId, kind, JSON.stringify(mailKinds[kind].parse(data)), at],
  );
  if (written.length > 0) addJob(em, 'send-mail', { mailId });
}

/** An e-mail to every admin, `exceptId` left out. */
export async function addMailToAdmins<Kind extends MailKind>(
  em: EntityManager,
  letter: Letter<Kind> & { readonly exceptId?: string },
): Promise<void> {
  const admins = await em.find(User, { role: 'admin' }, { orderBy: { createdAt: 'asc' } });
  for (const { id } of admins) {
    if (id !== letter.exceptId) await addMail(em, { ...letter, key: `${letter.key}-${id}`, userId: id });
  }
}

/**
 * Tells every admin but the one who asked that a change of rate waits for a second person; once each time it begins to wait.
 */
export async function mailWaitingChange(em: EntityManager, change: RateChange, at: Date): Promise<void> {
  const { id, currency, rate, previousRate, proposedById, awaitingSince, reason, guardRails: rails } = change;
  const { name: setBy } = await em.findOneOrFail(User, { id: proposedById });
  await addMailToAdmins(em, {
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

/** How long an e-mail that could not be sent is tried again, in ms: what comes later says nothing any more. */
const worthSendingMs = 2 * dayMs;

/** E-mails that wait to be sent and were written before `before`, the oldest first. */
export function unsentMails(em: EntityManager, input: { now: Date; before: Date; limit: number }): Promise<Mail[]> {
  const since = new Date(input.now.getTime() - worthSendingMs);
  return em.find(
    Mail,
    { sentAt: null, refusedAt: null, createdAt: { $gt: since, $lte: input.before } },
    { orderBy: { createdAt: 'asc' }, limit: input.limit },
  );
}
