import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { documentTypes, identityDeclineReasons, identityLevels } from '#core/accounts/tiers';

/**
 * An identity check: of stated personal details (`identity`), or of photos of the document named there (`document`). At
 * most one of each level is not declined.
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
    /** Last digits of the document's number (domain/personal-data/personal-data.ts). */
    number: p.text(),
    sealed: p.text().nullable(),
    /**
     * Hash that equal documents share; only at level `identity`, unique among accepted checks: one person per document.
     */
    numberHash: p.text().nullable(),
    /** As in the document. */
    legalName: p.text(),
    /** "YYYY-MM-DD" */
    birthDate: p.date(),
    /** Why it was declined, for the user. */
    reason: p.enum(identityDeclineReasons).nullable(),
    /** The deciding admin's internal note. */
    note: p.text().nullable(),
    /** Null: decided by the verifier. */
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
