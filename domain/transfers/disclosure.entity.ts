import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { DisclosureText } from '#core/transfers/disclosure';

/** The exact text of the disclosure that a sender saw before paying; immutable. */
export const Disclosure = defineEntity({
  name: 'Disclosure',
  tableName: 'transfer_disclosure',
  properties: {
    transferId: p.uuid().primary(),
    version: p.integer(),
    texts: p.json<DisclosureText[]>(),
    at: p.datetime(),
  },
});
export type Disclosure = InferEntity<typeof Disclosure>;
