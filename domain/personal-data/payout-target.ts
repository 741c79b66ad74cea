import type { EntityManager } from '#platform/database/database';
import { type HiddenNumbers, hideNumbers, type PersonNumbers, readNumbers } from './personal-data.ts';

/** Whom a transfer pays to. */
interface Target {
  readonly name: string;
  readonly bankName: string;
  readonly address: string;
  readonly city: string;
}

/** Whom a transfer pays to, with the numbers as they are: for the bank, and for who is shown them. */
export type OpenTarget = Target & PersonNumbers;

/** Copy of the recipient a transfer pays to, so that later edits never redirect it; its numbers are encrypted for the transfer. */
export type PayoutTarget = Target & HiddenNumbers;

/** The copy of a recipient that is kept about a transfer. */
export function hideTarget(em: EntityManager, transferId: string, target: OpenTarget): PayoutTarget {
  return { ...target, ...hideNumbers(em, `payout_target:${transferId}`, target) };
}

/** Whom a transfer pays to, with the numbers as they are. @throws Error when they are those of another transfer. */
export async function readTarget(em: EntityManager, transferId: string, stored: PayoutTarget): Promise<OpenTarget> {
  const { sealed: _, hashes: __, ...target } = stored;
  return { ...target, ...(await readNumbers(em, `payout_target:${transferId}`, stored)) };
}
