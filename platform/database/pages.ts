import { z } from 'zod';
import { invalidInput } from '#core/contracts/failures';

/** Where a page ended: the last row's creation and id. Lists run from the newest to the oldest. */
export interface Position {
  readonly createdAt: Date;
  readonly id: string;
}

const position = z.tuple([z.iso.datetime(), z.uuid()]);
const numbered = z.string().regex(/^[1-9]\d{0,17}$/);

/** Reads a cursor that `pageOf` gave out; null is the first page. @throws Failure `invalid_input` for anything else. */
export function readCursor(cursor: string | undefined): Position | null {
  if (cursor === undefined) return null;
  const parsed = position.safeParse(decode(cursor).split(' '));
  if (!parsed.success) throw badCursor();
  return { createdAt: new Date(parsed.data[0]), id: parsed.data[1] };
}

/** Reads a cursor of a list that is ordered by a number. @throws Failure `invalid_input`. */
export function readNumberCursor(cursor: string | undefined): bigint | null {
  if (cursor === undefined) return null;
  const parsed = numbered.safeParse(decode(cursor));
  if (!parsed.success) throw badCursor();
  return BigInt(parsed.data);
}

/** Cuts rows (one more than the page was asked for) into a page and the cursor of the next one. */
export function cutPage<Row extends { id: bigint } | { id: string; createdAt: Date }>(
  rows: readonly Row[],
  limit: number,
): { rows: readonly Row[]; nextCursor: string | null } {
  const last = rows[limit - 1];
  if (rows.length <= limit || !last) return { rows, nextCursor: null };
  const end =
    'createdAt' in last && typeof last.id === 'string' ? `${last.createdAt.toISOString()} ${last.id}` : String(last.id);
  return { rows: rows.slice(0, limit), nextCursor: Buffer.from(end).toString('base64url') };
}

/** The condition for rows after a position, newest first; its first half lets an index on (createdAt, id) bound the scan. */
export function after(start: Position | null) {
  if (!start) return {};
  const { createdAt, id } = start;
  return { createdAt: { $lte: createdAt }, $or: [{ createdAt: { $lt: createdAt } }, { id: { $lt: id } }] };
}

function decode(cursor: string): string {
  return Buffer.from(cursor, 'base64url').toString('utf8');
}

function badCursor() {
  return invalidInput({ cursor: 'Esta página ya no existe. Vuelve al principio de la lista.' });
}
