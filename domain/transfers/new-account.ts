import type { EntityManager } from '#platform/database/database';
import { accountHash } from '../personal-data/personal-data.ts';
import { staleProof } from '../sign-in/second-factor.repository.ts';
import { countPayment } from './last-day.ts';

/** From which amount on and for how long a proof counts. */
export interface ProofRules {
  /** In US cents. */
  readonly newDeviceUsdMinor: bigint;
  readonly sessions: { readonly stepUpMs: number };
}

/**
 * Who sends a larger sum, counted with the last 24 hours, to an account that got nothing from them yet must have proven lately who they are, by
 * their second factor or else the password: a session that was stolen, or left open, sends nothing to who found it. `transferId`: where the
 * transfer is there already. @throws Failure `second_factor_stale`.
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
