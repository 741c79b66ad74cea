import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** An e-mail to a person with an account. Its text follows from kind, data and the person's language and is rendered when it is sent. */
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
    /** Of the request that led to it. */
    requestId: p.text().nullable(),
    attempts: p.integer().default(0),
    /** When it is to be sent, or tried again; null once it was sent, refused or given up. */
    nextAttemptAt: p.datetime().nullable().defaultRaw('now()'),
    /** Jobs that were added for it; only the last one sends it. */
    dispatch: p.integer().default(1),
    sentAt: p.datetime().nullable(),
    /** The mail server refused it for good. */
    refusedAt: p.datetime().nullable(),
    /** Where it goes; null: to the account's address of the moment. */
    toAddress: p.text().nullable(),
  },
});
export type Email = InferEntity<typeof Email>;
