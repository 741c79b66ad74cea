import { isPlainName } from '../accounts/names.ts';

/** The statuses of the screening of a transfer's names against sanctions lists. */
export const screeningStatuses = {
  pending: 'Not answered yet; it is attempted until it is, or until the attempts are used up.',
  clear: 'No listed name is like one of the names, or a person has said of all that are that they are others.',
  hit: 'A listed name is like one of the names, and a person has to say whether it is the same.',
  blocked: 'A person said that it is the listed one: the transfer cannot be approved.',
  unavailable: 'The service did not answer any of the attempts; a person must check by other means or retry.',
  checked: 'The service gave no answer, and a person checked the lists by other means.',
  unclear:
    'No listed name is like one of the names, but one is written so that the lists may not recognise it: a person has to check it.',
  off: 'This installation is configured without a check of lists.',
} as const;

export type ScreeningStatus = keyof typeof screeningStatuses;
export const screeningStatusNames = Object.keys(screeningStatuses) as [ScreeningStatus, ...ScreeningStatus[]];

/** Statuses with which a transfer may be approved. */
export const passableStatuses: readonly ScreeningStatus[] = ['clear', 'checked', 'off'];

/** Why a payout is not sent: its screening is pending or not cleared. */
export const namesNotClearedError = 'the names of the payout are not cleared of the sanctions lists';

/** Minimum similarity score for a watch-list hit, from 0 to 1 (Watchman's `match`). */
export const hitScore = 0.85;

/** Attempts after which the screening is abandoned until a person retries it: about four minutes after the first. */
export const maxScreeningAttempts = 8;

/** Whose names of a transfer are checked. */
export const screenedSubjects = ['sender', 'recipient'] as const;
export type ScreenedSubject = (typeof screenedSubjects)[number];

/** What a person says of a listed name: another person's, or the same. */
export const hitVerdicts = ['false_positive', 'true_hit'] as const;
export type HitVerdict = (typeof hitVerdicts)[number];

/** A listed name that is like one of a transfer's names. */
export interface ScreeningHit {
  readonly subject: ScreenedSubject;
  /** The name of ours that was checked. */
  readonly name: string;
  /** The list, as Watchman calls it (`us_ofac`, `eu_csl`), and the number there. */
  readonly source: string;
  readonly sourceId: string;
  readonly listedName: string;
  readonly programs: readonly string[];
  /** How like it is, from 0 to 1. */
  readonly score: number;
  /** A person's verdict; null while undecided. `remembered`: from an earlier transfer with the same name. */
  readonly verdict: HitVerdict | null;
  readonly remembered: boolean;
}

/** The result of an answered check of names. */
export function statusOfHits(
  hits: readonly Pick<ScreeningHit, 'verdict'>[],
  names: readonly { readonly name: string }[],
): 'clear' | 'hit' | 'blocked' | 'unclear' {
  if (hits.some(({ verdict }) => verdict === 'true_hit')) return 'blocked';
  if (hits.some(({ verdict }) => verdict === null)) return 'hit';
  return names.every(({ name }) => isPlainName(name)) ? 'clear' : 'unclear';
}
