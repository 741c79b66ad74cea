import type { EntityManager } from '#platform/database/database';
import { accountHash } from '../personal-data/personal-data.ts';
import { staleProof } from '../sign-in/second-factor.repository.ts';
import { countPayment } from './last-day.ts';

/** Threshold and validity of a proof. */
export interface ProofRules {
  /** In US cents. */
  readonly newDeviceUsdMinor: bigint;
  readonly sessions: { readonly stepUpMs: number };
}

/**
 * Requires a recent proof of identity, by second factor or else the password, from a sender of a larger sum, counted
 * with the last 24 hours, to an account they have not paid before, so that a stolen or unattended session cannot send
 * it. `transferId`: if the transfer already exists.
 * @throws Failure `second_factor_stale`.
 */
export async function refuseStaleProof(
  em: EntityManager,
  { newDeviceUsdMinor, sessions }: ProofRules,
  input: {
    userId: string;
    provenAt: Date;
    transferId: string | null;
    usdMinor: bigint;
    bankAccount: string;
    at: Date;
  },
): Promise<void> {
  const { userId, provenAt, bankAccount, at } = input;
  if (at.getTime() - provenAt.getTime() <= sessions.stepUpMs) return;
  if ((await countPayment(em, input)) < newDeviceUsdMinor) return;
  const known = await em.execute(
    `select from transfer where payout_target -> 'hashes' ->> 'account' = ? and user_id = ? and paid_at is not null and state = 'completed' limit 1`,
    [accountHash(em, bankAccount), userId],
  );
  if (known.length === 0) throw await staleProof(em, userId);
}
