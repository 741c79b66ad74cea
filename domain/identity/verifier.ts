import { bareDocument, type DocumentType, type IdentityDeclineReason, type IdentityLevel } from '#core/accounts/tiers';

/** The evidence for a check. */
export interface Evidence {
  /** Stays the same when a check is repeated: verifiers that call a remote service use it as idempotency key. */
  readonly checkId: string;
  readonly level: IdentityLevel;
  readonly documentType: DocumentType;
  /** ISO 3166, two letters. */
  readonly country: string;
  /** As it was typed. */
  readonly number: string;
  readonly legalName: string;
  /** "YYYY-MM-DD" */
  readonly birthDate: string;
  /** Photos of the document; empty while only its details are checked. */
  readonly files: readonly { readonly type: string; readonly bytes: Uint8Array }[];
}

/** `review`: an admin has to decide. */
export type Verdict =
  | { readonly outcome: 'accepted' | 'review' }
  | { readonly outcome: 'declined'; readonly reason: IdentityDeclineReason };

/** Verifies identities. Never rejects: `review` if it cannot decide in time. */
export interface IdentityVerifier {
  check(evidence: Evidence): Promise<Verdict>;
}

/** Used without a provider: admins review everything. */
export const manualVerifier: IdentityVerifier = { check: async () => ({ outcome: 'review' }) };

/** The sandbox's outcome by the last four digits of the document number; it accepts all others. */
const planted: Readonly<Record<string, Partial<Record<IdentityLevel, Verdict>>>> = {
  '0000': { identity: { outcome: 'declined', reason: 'mismatch' } },
  '1111': { identity: { outcome: 'review' }, document: { outcome: 'review' } },
  '2222': { document: { outcome: 'declined', reason: 'unreadable' } },
  '3333': { document: { outcome: 'review' } },
};

/** Sandbox provider, in which the number selects the outcome. */
export const sandboxVerifier: IdentityVerifier = {
  check: async ({ level, number }) => planted[bareDocument(number).slice(-4)]?.[level] ?? { outcome: 'accepted' },
};
