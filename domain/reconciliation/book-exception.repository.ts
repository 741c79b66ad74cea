import { randomUUID } from 'node:crypto';
import { formatMinor } from '#core/money/money';
import { type Cause, type CauseOfNoTransfer, isAboutMoney } from '#core/reconciliation/cause';
import type { Difference } from '#core/reconciliation/movement';
import type { EntityManager } from '#platform/database/database';
import { type Page, type PageQuery, pageOptions, toPage } from '#platform/database/pages';
import { addPush } from '#platform/outbox/outbox';
import { closeCasesAbout, openCase } from '../desk/desk-case.repository.ts';
import { addEmailToAdmins } from '../emails/email.repository.ts';
import { BookException, BookRequest } from './book-exception.entity.ts';
import { openDayFor } from './source-entry.repository.ts';

export type { BookException, BookRequest } from './book-exception.entity.ts';

/** The same key for a difference that is found again. */
const keyOf = ({ cause, subject, expectedMinor, actualMinor }: Difference) =>
  `${cause}: ${subject}: ${expectedMinor ?? '-'}/${actualMinor ?? '-'}`;

/**
 * Records the differences found, in the transaction of `em`. New ones are open. Those of the same scope that are no
 * longer found are settled, even decided ones: otherwise explained or written-off amounts would still count although
 * both sides agree. The scope: these transfers, or entries without a transfer since a day.
 */
export async function recordDifferences(
  em: EntityManager,
  differences: readonly Difference[],
  { scope, closedUntil, at }: { scope: readonly string[] | { since: string }; closedUntil: string | null; at: Date },
): Promise<void> {
  await openDifferences(em, differences, { closedUntil, at, occasion: String(at.getTime()) });
  const settled = await em.execute<{ id: string; transfer_id: string | null }[]>(
    // A reversed write-off that is found again becomes another exception, so that each is written off once.
    `update book_exception as e set status = 'settled', version = e.version + 1,
       key = case when gone.status = 'accepted' then e.key || ' (' || e.id || ')' else e.key end
     from (select id, status from book_exception where status in ('open', 'explained', 'accepted')
       and ${'since' in scope ? 'transfer_id is null and day >= ?::date' : 'transfer_id = any (?::uuid[])'}
       and key not in (select jsonb_array_elements_text(?::jsonb)) for update) as gone
     where e.id = gone.id returning e.id, e.transfer_id`,
    ['since' in scope ? scope.since : `{${scope.join(',')}}`, JSON.stringify(differences.map(keyOf))],
  );
  if (settled.length > 0) {
    await undoWriteOffs(
      em,
      settled.map(({ id }) => id),
      { closedUntil, at },
    );
    await endRequests(
      em,
      settled.map(({ id }) => id),
      at,
    );
  }
  for (const id of new Set(settled.map((one) => one.transfer_id))) if (id) await closeEndedCase(em, id, at);
  if (settled.length > 0) noteBooksChanged(em);
}

/**
 * Opens differences that were found, in the transaction of `em`, each with a case, or with an e-mail to admins if they
 * belong to no transfer. Known ones are not changed, unless they were settled. `occasion` distinguishes e-mails.
 */
export async function openDifferences(
  em: EntityManager,
  differences: readonly Difference[],
  { closedUntil, at, occasion }: { closedUntil: string | null; at: Date; occasion: string },
): Promise<void> {
  const rows = differences.map((one) => ({
    ...{ id: randomUUID(), key: keyOf(one), cause: one.cause, side: one.side, transfer_id: one.transferId },
    ...{ reference: one.reference, currency: one.currency, day: openDayFor(one.day, closedUntil) },
    ...{ expected_minor: text(one.expectedMinor), actual_minor: text(one.actualMinor) },
    difference_minor: String(one.differenceMinor),
  }));
  const opened = await em.execute<Opened[]>(
    `insert into book_exception (id, key, cause, side, transfer_id, reference, expected_minor, actual_minor, difference_minor, currency,
       day, found_at, status, version)
     select g.id, g.key, g.cause, g.side, g.transfer_id, g.reference, g.expected_minor, g.actual_minor, g.difference_minor, g.currency,
       g.day, ?, 'open', 1
     from jsonb_to_recordset(?::jsonb) as g (id uuid, key text, cause text, side text, transfer_id uuid, reference text,
       expected_minor bigint, actual_minor bigint, difference_minor bigint, currency text, day date)
     -- What was settled by itself and is found again is open again.
     on conflict (key) do update set status = 'open', found_at = excluded.found_at, day = excluded.day, version = book_exception.version + 1
       where book_exception.status = 'settled'
     returning transfer_id, cause, difference_minor::text, actual_minor::text, currency, day::text, reference`,
    [at, JSON.stringify(rows)],
  );
  const causes = Map.groupBy(opened, ({ transfer_id: id }) => id);
  for (const [transferId, ofTransfer] of causes) {
    if (!transferId) {
      await emailOfNoTransfer(em, ofTransfer, { at, occasion });
      continue;
    }
    const details = [...new Set(ofTransfer.map(({ cause }) => cause))].join(', ');
    await openCase(em, { transferId, reason: 'books_differ', details, at });
  }
  if (opened.length > 0) noteBooksChanged(em);
}

/** A difference recorded as open. */
interface Opened {
  transfer_id: string | null;
  cause: Cause;
  difference_minor: string;
  actual_minor: string | null;
  currency: string;
  day: string;
  reference: string | null;
}

/** Maximum differences listed in an e-mail, which counts the rest. */
const maxNamed = 10;

/**
 * E-mails every admin about differences without a transfer, and so without a case: one e-mail per comparison, or per
 * return of the bank.
 */
async function emailOfNoTransfer(
  em: EntityManager,
  opened: readonly Opened[],
  { at, occasion }: { at: Date; occasion: string },
): Promise<void> {
  const first = opened.slice(0, maxNamed).map(({ cause, currency, day, reference, ...one }) => ({
    cause: cause as CauseOfNoTransfer,
    amount: amountOf(cause, one),
    ...{ currency: currency as 'EUR' | 'USD' | 'BOB', day, reference },
  }));
  const data = { found: opened.length, first };
  await addEmailToAdmins(em, { kind: 'book_exceptions', key: `book_exceptions-${occasion}`, data, at });
}

/** The amount in an e-mail: the difference, or the returned amount; null without an amount. */
function amountOf(
  cause: Cause,
  { difference_minor, actual_minor }: Pick<Opened, 'difference_minor' | 'actual_minor'>,
): string | null {
  if (isAboutMoney(cause)) return formatMinor(BigInt(difference_minor));
  return cause === 'return_unknown' && actual_minor !== null ? formatMinor(BigInt(actual_minor)) : null;
}

const text = (minor: bigint | null) => (minor === null ? null : String(minor));

/** Notifies admins' browsers of a change to the books. */
export function noteBooksChanged(em: EntityManager): void {
  addPush(em, 'books-changed', {});
}

/** Reverses write-offs that turned out to be unnecessary. */
async function undoWriteOffs(
  em: EntityManager,
  ids: readonly string[],
  { closedUntil, at }: { closedUntil: string | null; at: Date },
): Promise<void> {
  await em.execute(
    `insert into settlement_posting (entry, transfer_id, source, destination, amount_minor, currency, day, at)
     select 'write_off_undone:' || e.id, w.transfer_id, w.destination, w.source, w.amount_minor, w.currency,
       greatest(e.day, coalesce(?::date + 1, e.day)), ?
     from book_exception as e join settlement_posting as w on w.entry = 'write_off:' || e.id
     where e.id = any (?::uuid[]) on conflict (entry) do nothing`,
    [closedUntil, at, `{${ids.join(',')}}`],
  );
}

async function endRequests(em: EntityManager, exceptionIds: readonly string[], at: Date): Promise<void> {
  await em.nativeUpdate(
    BookRequest,
    { exceptionId: { $in: [...exceptionIds] }, outcome: null },
    { outcome: 'obsolete', decidedAt: at },
  );
}

/** Closes the case about a transfer without open exceptions. */
async function closeEndedCase(em: EntityManager, transferId: string, at: Date): Promise<void> {
  if ((await em.count(BookException, { transferId, status: 'open' })) > 0) return;
  await closeCasesAbout(em, { transferId, reasons: ['books_differ'], outcome: 'books_settled', at });
}

/** Locks and returns the current exception until the transaction ends; null if not found. */
export async function lockException(em: EntityManager, id: string): Promise<BookException | null> {
  await em.execute('select from book_exception where id = ? for update', [id]);
  return findException(em, id);
}

/** The current exception with an id, or null. */
export function findException(em: EntityManager, id: string): Promise<BookException | null> {
  return em.findOne(BookException, { id }, { refresh: true });
}

/** A page of exceptions, latest first. @throws Failure `invalid_input` for a foreign cursor. */
export async function findExceptionPage(
  em: EntityManager,
  { status, cause, ...page }: PageQuery & { status: 'open' | 'decided'; cause?: Cause | undefined },
): Promise<Page<BookException>> {
  const wanted = status === 'open' ? { status: 'open' as const } : { status: { $ne: 'open' as const } };
  return toPage(
    await em.findByCursor(BookException, {
      where: { ...wanted, ...(cause && { cause }) },
      orderBy: { foundAt: 'desc', id: 'desc' },
      ...pageOptions(page, 'created'),
    }),
  );
}

/** The number of open exceptions, optionally up to a day. */
export function countOpen(em: EntityManager, until?: string): Promise<number> {
  return em.count(BookException, { status: 'open', ...(until && { day: { $lte: until } }) });
}

/** Ends an open, locked exception: by a note, or as written off with its posting. */
export async function endException(
  em: EntityManager,
  { id, transferId }: BookException,
  { status, note, personId, at }: { status: 'explained' | 'accepted'; note: string; personId: string; at: Date },
): Promise<void> {
  await em.execute(
    'update book_exception set status = ?, note = ?, decided_by_id = ?, decided_at = ?, version = version + 1 where id = ?',
    [status, note, personId, at, id],
  );
  if (status === 'explained') await endRequests(em, [id], at);
  if (transferId) await closeEndedCase(em, transferId, at);
  noteBooksChanged(em);
}

/** Books a loss or a gain accepted by two people. */
export async function writeOff(
  em: EntityManager,
  one: BookException,
  { day, at }: { day: string; at: Date },
): Promise<void> {
  const { differenceMinor, side } = one;
  const outside = side === 'stripe' ? 'card_processor' : 'bank';
  const [source, destination, amountMinor] =
    differenceMinor < 0n ? ['loss', outside, -differenceMinor] : [outside, 'gain', differenceMinor];
  await em.execute(
    `insert into settlement_posting (entry, transfer_id, source, destination, amount_minor, currency, day, at)
     values (?, ?, ?, ?, ?, ?, ?, ?)`,
    [`write_off:${one.id}`, one.transferId ?? null, source, destination, String(amountMinor), one.currency, day, at],
  );
}

/** Records that the source is read again. */
export async function noteReread(em: EntityManager, id: string, at: Date): Promise<void> {
  await em.execute('update book_exception set asked_at = ?, version = version + 1 where id = ?', [at, id]);
  noteBooksChanged(em);
}

/** Inserts a request to a second person, in the transaction of `em`. */
export async function insertBookRequest(
  em: EntityManager,
  values: Pick<BookRequest, 'action' | 'reason' | 'requestedById'> & { exceptionId?: string; day?: string; at: Date },
): Promise<BookRequest> {
  const { at, exceptionId = null, day = null, ...rest } = values;
  const request = em.create(BookRequest, { id: randomUUID(), ...rest, exceptionId, day, requestedAt: at });
  await em.persist(request).flush();
  noteBooksChanged(em);
  return request;
}

/** Locks and returns the current request until the transaction ends; null if not found. */
export async function lockBookRequest(em: EntityManager, id: string): Promise<BookRequest | null> {
  await em.execute('select from book_request where id = ? for update', [id]);
  return em.findOne(BookRequest, { id }, { refresh: true });
}

/** Records the decision on a waiting, locked request. */
export async function decideBookRequest(
  em: EntityManager,
  id: string,
  { outcome, personId, at }: { outcome: 'approved' | 'declined'; personId: string; at: Date },
): Promise<void> {
  await em.nativeUpdate(BookRequest, { id, outcome: null }, { outcome, decidedById: personId, decidedAt: at });
  noteBooksChanged(em);
}

/** Ends the waiting requests of a person who lost the permission to make them. */
export async function endBookRequestsOf(em: EntityManager, requestedById: string, at: Date): Promise<void> {
  const ended = { outcome: 'obsolete', decidedAt: at } as const;
  if ((await em.nativeUpdate(BookRequest, { requestedById, outcome: null }, ended)) > 0) noteBooksChanged(em);
}

/** Requests about these exceptions, or about days; newest first. */
export function findBookRequests(
  em: EntityManager,
  of: { exceptionIds: readonly string[] } | { days: readonly string[] },
): Promise<BookRequest[]> {
  const where = 'days' in of ? { day: { $in: [...of.days] } } : { exceptionId: { $in: [...of.exceptionIds] } };
  return em.find(BookRequest, where, { orderBy: { requestedAt: 'desc', id: 'desc' }, refresh: true });
}
