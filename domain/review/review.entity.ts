import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { type ScreenedSubject, type ScreeningHit, screeningStatusNames } from '#core/review/screening';

/** A name of a transfer that is checked; `form` is without accents and capitals. */
export interface ScreenedName {
  readonly subject: ScreenedSubject;
  readonly name: string;
  readonly form: string;
  /** Of whom a second payout would pay: which result of which report (`payoutKey`). */
  readonly payout?: string;
}

/** What helps to decide about a transfer, a row each. Only `domain/review` changes it. */
export const Review = defineEntity({
  name: 'Review',
  tableName: 'review',
  properties: {
    transferId: p.uuid().primary(),
    /** Raised by every change; browsers keep the highest they saw. */
    version: p.integer(),
    /** Of one check of these names: an answer to an earlier check is not taken for this one's. */
    screeningKey: p.text().unique(),
    screeningStatus: p.enum(screeningStatusNames),
    /** The names that are checked. */
    names: p.json<ScreenedName[]>(),
    /** Jobs that were added for the check. */
    dispatch: p.integer(),
    /** Attempts at this check that were begun. */
    attempts: p.integer(),
    /** When it is attempted next; null when it is not. */
    nextAttemptAt: p.datetime().nullable(),
    lastError: p.text().nullable(),
    hits: p.json<ScreeningHit[]>(),
    checkedAt: p.datetime().nullable(),
    /** What a person said last of hits or of a missing answer. */
    note: p.text().nullable(),
    notedById: p.uuid().nullable(),
    /** Who is deciding about the transfer, and until when nobody else may. */
    claimedById: p.uuid().nullable(),
    claimedUntil: p.datetime().nullable(),
  },
});
export type Review = InferEntity<typeof Review>;

/** A person found that somebody with this name is not the listed one; never changed. */
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
