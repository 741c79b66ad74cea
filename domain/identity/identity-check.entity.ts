import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { documentTypes, identityDeclineReasons, identityLevels } from '#core/accounts/tiers';

/**
 * A check of who a person is, by what they say of themselves (`identity`) or by pictures of the document that they named then (`document`).
 * One of each level at most is not declined.
 */
export const IdentityCheck = defineEntity({
  name: 'IdentityCheck',
  tableName: 'identity_check',
  properties: {
    id: p.uuid().primary(),
    userId: p.uuid(),
    level: p.enum(identityLevels),
    state: p.enum(['waiting', 'accepted', 'declined'] as const).default('waiting'),
    documentType: p.enum(documentTypes),
    /** ISO 3166, two letters. */
    country: p.text(),
    /** The end of the document's number (domain/personal-data/personal-data.ts). */
    number: p.text(),
    sealed: p.text().nullable(),
    /** What the same documents share; of level `identity` alone, unique among those accepted: one person per document. */
    numberHash: p.text().nullable(),
    /** As in the document. */
    legalName: p.text(),
    /** "YYYY-MM-DD" */
    birthDate: p.date(),
    /** Why it was declined, for its person. */
    reason: p.enum(identityDeclineReasons).nullable(),
    /** What the admin wrote who decided; for colleagues. */
    note: p.text().nullable(),
    /** Null: the verifier did. */
    decidedById: p.uuid().nullable(),
    createdAt: p.datetime(),
    decidedAt: p.datetime().nullable(),
  },
  indexes: [
    { name: 'identity_check_user_id_created_at', properties: ['userId', 'createdAt'] },
    {
      name: 'identity_check_waiting',
      expression: `create index identity_check_waiting on identity_check (created_at, id) where state = 'waiting'`,
    },
    {
      name: 'identity_check_open',
      expression: `create unique index identity_check_open on identity_check (user_id, level) where state <> 'declined'`,
    },
    {
      name: 'identity_check_document',
      expression: `create unique index identity_check_document on identity_check (number_hash) where state = 'accepted'`,
    },
    { name: 'identity_check_number_hash', properties: ['numberHash'] },
  ],
});
export type IdentityCheck = InferEntity<typeof IdentityCheck>;
