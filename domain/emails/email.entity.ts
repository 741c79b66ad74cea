import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** An e-mail to a user. Its text derives from kind, data and the user's language and is rendered on sending. */
export const Email = defineEntity({
  name: 'Email',
  tableName: 'mail',
  properties: {
    id: p.uuid().primary(),
    key: p.text().unique(),
    userId: p.uuid(),
    kind: p.text(),
    data: p.json<Readonly<Record<string, unknown>>>(),
    createdAt: p.datetime(),
    /** The request that caused it. */
    requestId: p.text().nullable(),
    attempts: p.integer().default(0),
    /** When sending, or a retry, is due; null once it was sent, rejected or given up. */
    nextAttemptAt: p.datetime().nullable().defaultRaw('now()'),
    /** Number of jobs added for it; only the last one sends it. */
    dispatch: p.integer().default(1),
    sentAt: p.datetime().nullable(),
    /** When the mail server permanently rejected it. */
    refusedAt: p.datetime().nullable(),
    /** Recipient address; null: the account's current one. */
    toAddress: p.text().nullable(),
  },
});
export type Email = InferEntity<typeof Email>;
