import { Cursor } from '@mikro-orm/core';
import { z } from 'zod';
import { invalidInput } from '#core/contracts/invalid-input';

/** Rows of one page, and the cursor of the next; null at the end of the list. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly nextCursor: string | null;
}

/** The part of a list that is wanted: how many rows, and after which cursor; from the beginning without one. */
export interface PageQuery {
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** The content of a cursor, by the list's order: creation and id, or a number. */
const positions = {
  created: z.tuple([z.iso.datetime(), z.uuid()]),
  numbered: z.tuple([z.string().regex(/^[1-9]\d{0,17}$/)]),
} as const;

/**
 * Options of `em.findByCursor` for a page; `order` says whether the list runs by `{ createdAt, id }` or by a numeric `id`. The
 * cursor is checked first: MikroORM would take one of another list for the beginning. @throws Failure `invalid_input`.
 */
export function pageOptions({ cursor, limit }: PageQuery, order: keyof typeof positions) {
  const page = { first: limit, includeCount: false as const };
  if (cursor === undefined) return page;
  if (!positions[order].safeParse(decodePosition(cursor)).success) throw badCursor();
  return { ...page, after: cursor };
}

/** Decodes a cursor of a list by creation and id. @throws Failure `invalid_input` for one of another list. */
export function positionOf(cursor: string): Position {
  const parsed = positions.created.safeParse(decodePosition(cursor));
  if (!parsed.success) throw badCursor();
  return { createdAt: new Date(parsed.data[0]), id: parsed.data[1] };
}

/** The page that `em.findByCursor` found. */
export function toPage<Row>(found: { items: Row[]; hasNextPage: boolean; endCursor: string | null }): Page<Row> {
  return { rows: found.items, nextCursor: found.hasNextPage ? found.endCursor : null };
}

function decodePosition(cursor: string): unknown {
  try {
    return Cursor.decode(cursor);
  } catch {
    return null;
  }
}

/** Where a page ended: the last row's creation and id. Lists run from the newest to the oldest. */
export interface Position {
  readonly createdAt: Date;
  readonly id: string;
}

/**
 * Reads a cursor from `cutPage`; null is the first page. `id`: the schema of the list's ids. @throws Failure
 * `invalid_input` for anything else.
 */
export function readCursor(cursor: string | undefined, id: z.ZodType<string> = z.uuid()): Position | null {
  if (cursor === undefined) return null;
  const parsed = z.tuple([z.iso.datetime(), id]).safeParse(decode(cursor).split(' '));
  if (!parsed.success) throw badCursor();
  return { createdAt: new Date(parsed.data[0]), id: parsed.data[1] };
}

/** Cuts rows (one more than the page size) into a page and the cursor of the next one. */
export function cutPage<Row extends { id: string; createdAt: Date }>(
  rows: readonly Row[],
  limit: number,
): { rows: readonly Row[]; nextCursor: string | null } {
  const last = rows[limit - 1];
  if (rows.length <= limit || !last) return { rows, nextCursor: null };
  const end = `${last.createdAt.toISOString()} ${last.id}`;
  return { rows: rows.slice(0, limit), nextCursor: Buffer.from(end).toString('base64url') };
}

function decode(cursor: string): string {
  return Buffer.from(cursor, 'base64url').toString('utf8');
}

function badCursor() {
  return invalidInput({ cursor: 'page_gone' });
}
