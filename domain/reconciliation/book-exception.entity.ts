import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { Cause, Side } from '#core/reconciliation/cause';

/** A difference between our books and a source. Only `book-exception.repository.ts` changes it. */
export const BookException = defineEntity({
  name: 'BookException',
  tableName: 'book_exception',
  properties: {
    id: p.uuid().primary(),
    /** Cause, subject and amounts, so that a difference found again keeps its row. */
    key: p.text().unique(),
    cause: p.text().$type<Cause>(),
    side: p.text().$type<Side>(),
    /** Null: it concerns none of our transfers. */
    transferId: p.uuid().nullable(),
    /** The source's reference. */
    reference: p.text().nullable(),
    /** The amount in our books or the price list, signed, in minor units; null: none. */
    expectedMinor: p.bigint().nullable(),
    /** The amount at the source. */
    actualMinor: p.bigint().nullable(),
    /** Surplus of the source over our books; 0 if it is not about money. */
    differenceMinor: p.bigint(),
    currency: p.text(),
    day: p.date(),
    foundAt: p.datetime(),
    /** `explained`: by a note. `accepted`: written off by two people. `settled`: no longer found. */
    status: p.text().$type<'open' | 'explained' | 'accepted' | 'settled'>(),
    /** The admin's note. */
    note: p.text().nullable(),
    decidedById: p.uuid().nullable(),
    decidedAt: p.datetime().nullable(),
    /** When the source was last read again for it. */
    askedAt: p.datetime().nullable(),
    /** Incremented by every change. */
    version: p.integer(),
  },
});
export type BookException = InferEntity<typeof BookException>;

/** A request to a second person to write a difference off or to close a day, and its decision. */
export const BookRequest = defineEntity({
  name: 'BookRequest',
  tableName: 'book_request',
  properties: {
    id: p.uuid().primary(),
    action: p.text().$type<'accept' | 'close_day'>(),
    exceptionId: p.uuid().nullable(),
    day: p.date().nullable(),
    /** The sender of its transfer, who may neither request nor decide; set and enforced by the database. */
    senderId: p.uuid().nullable(),
    reason: p.text(),
    requestedById: p.uuid(),
    requestedAt: p.datetime(),
    decidedById: p.uuid().nullable(),
    decidedAt: p.datetime().nullable(),
    /** Null while it waits. `obsolete`: its subject no longer exists. */
    outcome: p.text().$type<'approved' | 'declined' | 'obsolete'>().nullable(),
  },
});
export type BookRequest = InferEntity<typeof BookRequest>;

/** A day's last comparison. */
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

/** A day that two people closed, with its figures; append-only. */
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
