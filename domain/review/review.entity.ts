import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { type ScreenedSubject, type ScreeningHit, screeningStatusNames } from '#core/review/screening';

/** A screened name of a transfer; `form` is without accents and capitals. */
export interface ScreenedName {
  readonly subject: ScreenedSubject;
  readonly name: string;
  readonly form: string;
  /** For the payee of a second payout: the result and report that orders it (`payoutKey`). */
  readonly payout?: string;
}

/** The review information of a transfer, one row each. Only `domain/review` changes it. */
export const Review = defineEntity({
  name: 'Review',
  tableName: 'review',
  properties: {
    transferId: p.uuid().primary(),
    /** Incremented by every change; browsers keep the highest they saw. */
    version: p.integer(),
    /** Identifies one screening of these names, so that a late answer to an earlier one is ignored. */
    screeningKey: p.text().unique(),
    screeningStatus: p.enum(screeningStatusNames),
    /** The screened names. */
    names: p.json<ScreenedName[]>(),
    /** Number of jobs added for the screening. */
    dispatch: p.integer().default(1),
    /** Number of attempts started for this screening. */
    attempts: p.integer(),
    /** When the next attempt is due; null: none. */
    nextAttemptAt: p.datetime().nullable(),
    lastError: p.text().nullable(),
    hits: p.json<ScreeningHit[]>(),
    checkedAt: p.datetime().nullable(),
    /** An admin's last note on hits or on a missing answer. */
    note: p.text().nullable(),
    notedById: p.uuid().nullable(),
    /** The admin who has claimed the transfer for review, and until when. */
    claimedById: p.uuid().nullable(),
    claimedUntil: p.datetime().nullable(),
  },
});
export type Review = InferEntity<typeof Review>;

/** An admin's finding that a person with this name is not the listed one; immutable. */
export const NameClearance = defineEntity({
  name: 'NameClearance',
  tableName: 'name_clearance',
  properties: {
    nameForm: p.text().primary(),
    source: p.text().primary(),
    sourceId: p.text().primary(),
    transferId: p.uuid(),
    note: p.text(),
    clearedById: p.uuid(),
    clearedAt: p.datetime(),
  },
});
export type NameClearance = InferEntity<typeof NameClearance>;
