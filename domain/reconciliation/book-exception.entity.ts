import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { Cause, Side } from '#core/reconciliation/cause';

/** A difference between our books and a source. Only `book-exception.repository.ts` changes it. */
export const BookException = defineEntity({
  name: 'BookException',
  tableName: 'book_exception',
  properties: {
    id: p.uuid().primary(),
    /** Cause, subject and amounts: the same difference has one row however often it is found. */
    key: p.text().unique(),
    cause: p.text().$type<Cause>(),
    side: p.text().$type<Side>(),
    /** Null: it is about none of our transfers. */
    transferId: p.uuid().nullable(),
    /** The source's number of what it is about. */
    reference: p.text().nullable(),
    /** What our books or the price list say, signed, in minor units; null: nothing. */
    expectedMinor: p.bigint().nullable(),
    /** What the source says. */
    actualMinor: p.bigint().nullable(),
    /** By how much the source has more than our books; 0 where it is not about money. */
    differenceMinor: p.bigint(),
    currency: p.text(),
    day: p.date(),
    foundAt: p.datetime(),
    /** `explained`: by a note. `accepted`: written off by two persons. `settled`: it is gone by itself. */
    status: p.text().$type<'open' | 'explained' | 'accepted' | 'settled'>(),
    /** What a person wrote. */
    note: p.text().nullable(),
    decidedById: p.uuid().nullable(),
    decidedAt: p.datetime().nullable(),
    /** When the source was asked again for it. */
    askedAt: p.datetime().nullable(),
    /** Raised by every change. */
    version: p.integer(),
  },
});
export type BookException = InferEntity<typeof BookException>;

/** What waits for a second person, or how it was decided: writing a difference off, or closing a day. */
export const BookRequest = defineEntity({
  name: 'BookRequest',
  tableName: 'book_request',
  properties: {
    id: p.uuid().primary(),
    action: p.text().$type<'accept' | 'close_day'>(),
    exceptionId: p.uuid().nullable(),
    day: p.date().nullable(),
    /** The sender of the transfer it is about, who may neither ask nor decide; the database fills it in and refuses both. */
    senderId: p.uuid().nullable(),
    reason: p.text(),
    requestedById: p.uuid(),
    requestedAt: p.datetime(),
    decidedById: p.uuid().nullable(),
    decidedAt: p.datetime().nullable(),
    /** Null while it waits. `obsolete`: what it was about is gone. */
    outcome: p.text().$type<'approved' | 'declined' | 'obsolete'>().nullable(),
  },
});
export type BookRequest = InferEntity<typeof BookRequest>;

/** How a day compared when it was looked at last. */
export const BookDay = defineEntity({
  name: 'BookDay',
  tableName: 'book_day',
  properties: {
    day: p.date().primary(),
    /** `SideTotals` as text (days.repository.ts). */
    totals: p.json<unknown>(),
    comparedAt: p.datetime(),
  },
});
export type BookDay = InferEntity<typeof BookDay>;

/** A day that two persons closed, with its figures; append-only. */
export const DayClosing = defineEntity({
  name: 'DayClosing',
  tableName: 'day_closing',
  properties: {
    day: p.date().primary(),
    totals: p.json<unknown>(),
    profit: p.json<unknown>(),
    proposedById: p.uuid(),
    confirmedById: p.uuid(),
    closedAt: p.datetime(),
  },
});
export type DayClosing = InferEntity<typeof DayClosing>;
