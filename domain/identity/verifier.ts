import { bareDocument, type DocumentType, type IdentityDeclineReason, type IdentityLevel } from '#core/accounts/tiers';

/** What somebody is checked by. */
export interface Evidence {
  /** The same for a check that is asked about again: who verifies by a call to somewhere else uses it as the key. */
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
  /** Pictures of the document; none while only what is said of it is checked. */
  readonly files: readonly { readonly type: string; readonly bytes: Uint8Array }[];
}

/** `review`: a person has to look. */
export type Verdict =
  | { readonly outcome: 'accepted' | 'review' }
  | { readonly outcome: 'declined'; readonly reason: IdentityDeclineReason };

/** Checks who people are. It never rejects: what it cannot answer, or not in time, is `review`. */
export interface IdentityVerifier {
  check(evidence: Evidence): Promise<Verdict>;
}

/** Where no provider is connected admins look at everything. */
export const manualVerifier: IdentityVerifier = { check: async () => ({ outcome: 'review' }) };

/** By the last four digits of a document's number, what the sandbox answers; everything else it accepts. */
const planted: Readonly<Record<string, Partial<Record<IdentityLevel, Verdict>>>> = {
  '0000': { identity: { outcome: 'declined', reason: 'mismatch' } },
  '1111': { identity: { outcome: 'review' }, document: { outcome: 'review' } },
  '2222': { document: { outcome: 'declined', reason: 'unreadable' } },
  '3333': { document: { outcome: 'review' } },
};

/** Stands for a provider in the sandbox, where every outcome can be had by a number. */
export const sandboxVerifier: IdentityVerifier = {
  check: async ({ level, number }) => planted[bareDocument(number).slice(-4)]?.[level] ?? { outcome: 'accepted' },
};
