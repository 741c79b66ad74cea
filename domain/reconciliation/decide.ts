import { UniqueConstraintViolationException } from '@mikro-orm/core';
import { Failure } from '#core/contracts/failures';
import type { BookDayView, BookExceptionView } from '#core/contracts/http/reconciliation';
import { isAboutMoney } from '#core/reconciliation/cause';
import { refusalsToClose } from '#core/reconciliation/closing';
import type { Database, EntityManager } from '#platform/database/database';
import { addJob } from '#platform/outbox/outbox';
import { isStillPermitted, requireSecondPerson } from '../accounts/account.repository.ts';
import { writeAudit } from '../audit/audit.repository.ts';
import { findTransfer } from '../transfers/transfer.repository.ts';
import {
  type BookException,
  type BookRequest,
  decideBookRequest,
  endException,
  findException,
  insertBookRequest,
  lockBookRequest,
  lockException,
  noteReread,
  writeOff,
} from './book-exception.repository.ts';
import { closingFactsOf, toExceptionViews, viewReconciliation } from './book-views.ts';
import { findProfits, insertClosing } from './days.repository.ts';
import { holdOpenDays, openDayFor } from './source-entry.repository.ts';

/** An admin's decision on an exception. */
interface About {
  readonly exceptionId: string;
  readonly adminId: string;
  readonly note: string;
  readonly at: Date;
}

/** Ends an exception with an explanation; the books stay as they are. @throws Failure `not_found`, `own_transfer`, `exception_decided`. */
export function explainException(
  database: Database,
  { exceptionId, adminId, note, at }: About,
): Promise<BookExceptionView> {
  return database.transaction(async (em) => {
    const one = await lockOpen(em, exceptionId, adminId);
    await endException(em, one, { status: 'explained', note, personId: adminId, at });
    await writeAudit(em, 'exception_explained', { subject: exceptionId });
    return viewException(em, exceptionId);
  });
}

/**
 * Requests a second person's approval to write an exception off, as a loss or a gain.
 * @throws Failure `not_found`, `own_transfer`, `exception_decided`, `action_not_possible` when it is not about money,
 * and `request_pending`.
 */
export function askToAccept(database: Database, { exceptionId, adminId, note, at }: About): Promise<BookExceptionView> {
  return database.transaction(async (em) => {
    const one = await lockOpen(em, exceptionId, adminId);
    if (!isAboutMoney(one.cause) || one.differenceMinor === 0n) throw new Failure('action_not_possible');
    await insertRequest(em, { action: 'accept', exceptionId, reason: note, requestedById: adminId, at });
    await writeAudit(em, 'write_off_asked', { subject: exceptionId });
    return viewException(em, exceptionId);
  });
}

/**
 * Queues another reading of an exception's source from its day on.
 * @throws Failure `not_found`, `exception_decided`.
 */
export function askSourceAgain(
  database: Database,
  { exceptionId, at }: Pick<About, 'exceptionId' | 'at'>,
): Promise<BookExceptionView> {
  return database.transaction(async (em) => {
    const one = await lockException(em, exceptionId);
    if (!one) throw new Failure('not_found');
    if (one.status !== 'open') throw new Failure('exception_decided');
    await noteReread(em, one.id, at);
    addJob(em, 'ask-source-again', { exceptionId: one.id });
    await writeAudit(em, 'source_asked', { subject: exceptionId });
    return viewException(em, exceptionId);
  });
}

/**
 * Proposes to close a day; it is closed when another person approves.
 * @throws Failure `day_not_closable` with the reasons, and `request_pending`.
 */
export function proposeClosing(
  database: Database,
  { day, adminId, note, at }: { day: string; adminId: string; note: string; at: Date },
): Promise<BookDayView> {
  return database.transaction(async (em) => {
    await checkClosable(em, day, at);
    await insertRequest(em, { action: 'close_day', day, reason: note, requestedById: adminId, at });
    await writeAudit(em, 'day_closing_asked', { subject: day });
    const { days } = await viewReconciliation(em, at);
    return days.find((one) => one.day === day) as BookDayView;
  });
}

/**
 * Approves or declines another admin's request.
 * @throws Failure `not_found`, `own_transfer`, `own_request`, `already_decided`, `request_ended` when its author may no
 * longer request it, `action_not_possible` when the exception is no longer open, `day_not_closable` with the reasons.
 */
export function decideBooks(
  database: Database,
  { requestId, adminId, approve, at }: { requestId: string; adminId: string; approve: boolean; at: Date },
): Promise<void> {
  return database.transaction(async (em) => {
    const request = await lockBookRequest(em, requestId);
    if (!request) throw new Failure('not_found');
    if (request.outcome === 'obsolete') throw new Failure('request_ended');
    if (request.outcome) throw new Failure('already_decided', { request: request.id });
    await requireSecondPerson(em, { personId: adminId, requestedById: request.requestedById, at });
    if (request.senderId === adminId) throw new Failure('own_transfer');
    const permission = request.action === 'accept' ? 'acceptException' : 'closeDay';
    if (approve && !(await isStillPermitted(em, request.requestedById, permission))) throw new Failure('request_ended');
    await decideBookRequest(em, requestId, { outcome: approve ? 'approved' : 'declined', personId: adminId, at });
    const { action, day, exceptionId } = request;
    const detail = { requestId, action, approve };
    await writeAudit(em, 'book_request_decided', { subject: day ?? exceptionId ?? null, detail });
    if (!approve) return;
    if (request.action === 'accept') await accept(em, request, { adminId, at });
    else await close(em, request, { adminId, at });
  });
}

async function accept(
  em: EntityManager,
  request: BookRequest,
  { adminId, at }: { adminId: string; at: Date },
): Promise<void> {
  const closedUntil = await holdOpenDays(em);
  const one = await lockException(em, request.exceptionId as string);
  if (one?.status !== 'open') throw new Failure('action_not_possible');
  await endException(em, one, { status: 'accepted', note: request.reason, personId: adminId, at });
  await writeOff(em, one, { day: openDayFor(one.day, closedUntil), at });
}

async function close(
  em: EntityManager,
  request: BookRequest,
  { adminId, at }: { adminId: string; at: Date },
): Promise<void> {
  const day = request.day as string;
  // From here on nothing of the day can be written.
  await em.execute(`select pg_advisory_xact_lock(hashtext('day_closing'))`);
  const { totals } = await checkClosable(em, day, at);
  const profits = await findProfits(em, { from: day, to: day });
  const profit = Object.fromEntries(profits.map((one) => [one.currency, one.profit]));
  await insertClosing(em, { day, totals, profit, proposedById: request.requestedById, confirmedById: adminId, at });
}

/** @throws Failure `day_not_closable` with the reasons. */
async function checkClosable(em: EntityManager, day: string, at: Date) {
  const facts = await closingFactsOf(em, day, at);
  const refusals = refusalsToClose(facts);
  if (refusals.length > 0) throw new Failure('day_not_closable', { refusals });
  return facts;
}

async function lockOpen(em: EntityManager, id: string, adminId: string): Promise<BookException> {
  const one = await lockException(em, id);
  if (!one) throw new Failure('not_found');
  if (one.status !== 'open') throw new Failure('exception_decided');
  const transfer = one.transferId ? await findTransfer(em, one.transferId) : null;
  if (transfer?.userId === adminId) throw new Failure('own_transfer');
  return one;
}

async function viewException(em: EntityManager, id: string): Promise<BookExceptionView> {
  const one = await findException(em, id);
  const [view] = await toExceptionViews(em, one ? [one] : []);
  return view as BookExceptionView;
}

async function insertRequest(em: EntityManager, values: Parameters<typeof insertBookRequest>[1]): Promise<void> {
  try {
    await insertBookRequest(em, values);
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException) throw new Failure('request_pending');
    throw error;
  }
}
