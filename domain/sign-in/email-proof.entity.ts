import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** What one e-mail carries to prove that who reads the address has the account: the secret of its link, and a code to type. */
export const EmailProof = defineEntity({
  name: 'EmailProof',
  tableName: 'email_proof',
  properties: {
    /** SHA-256 of the link's token, hex. */
    tokenHash: p.text().primary(),
    userId: p.uuid().index('email_proof_user_id'),
    /** The address it goes to. It proves no other. */
    email: p.text(),
    /** SHA-256 of account and code, hex. */
    codeHash: p.text(),
    createdAt: p.datetime(),
    expiresAt: p.datetime().index('email_proof_expires_at'),
  },
});
export type EmailProof = InferEntity<typeof EmailProof>;
