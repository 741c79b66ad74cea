import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** An e-mail to a person with an account: what it says follows from its kind and data, and is written when it is sent. */
export const Mail = defineEntity({
  name: 'Mail',
  tableName: 'mail',
  properties: {
    id: p.uuid().primary(),
    key: p.text().unique(),
    userId: p.uuid(),
    kind: p.text(),
    data: p.json<Readonly<Record<string, unknown>>>(),
    createdAt: p.datetime(),
    sentAt: p.datetime().nullable(),
    /** The mail server refused it for good. */
    refusedAt: p.datetime().nullable(),
  },
});
export type Mail = InferEntity<typeof Mail>;
