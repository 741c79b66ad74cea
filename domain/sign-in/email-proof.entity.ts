import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** The secrets in one e-mail that prove access to its address: a link, and a code to type. */
export const EmailProof = defineEntity({
  name: 'EmailProof',
  tableName: 'email_proof',
  properties: {
    /** SHA-256 of the link's token, hex. */
    tokenHash: p.text().primary(),
    userId: p.uuid().index('email_proof_user_id'),
    /** The address it was sent to, and the only one it proves. */
    email: p.text(),
    /** SHA-256 of account and code, hex. */
    codeHash: p.text(),
    createdAt: p.datetime(),
    expiresAt: p.datetime().index('email_proof_expires_at'),
  },
});
export type EmailProof = InferEntity<typeof EmailProof>;
