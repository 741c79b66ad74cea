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
    /** When a worker began to send it; another may after a while. */
    claimedAt: p.datetime().nullable(),
    sentAt: p.datetime().nullable(),
    /** The mail server refused it for good. */
    refusedAt: p.datetime().nullable(),
  },
});
export type Email = InferEntity<typeof Email>;
