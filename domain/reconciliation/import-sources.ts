import { daysBetween, shiftDay, startOfDay } from '#core/reconciliation/days';
import { dayMs, hourMs, laPazDay } from '#core/time/time';
import type { Database } from '#platform/database/database';
import { writeAudit } from '../audit/audit.repository.ts';
import type { JobContext } from '../jobs/job-context.ts';
import { readStatement } from './read-statement.ts';
import {
  findBankUntil,
  findFirstTransferAt,
  findStatements,
  findStripeUntil,
  insertStatement,
  insertStripeEntries,
  noteStripeUntil,
  toStripeEntry,
} from './source-entry.repository.ts';
import { StatementProblem } from './statement.ts';

/** Stripe lists a movement with a delay, so an import starts this long before the end of the previous one (ms). */
const overlapMs = hourMs;

/**
 * Imports Stripe's balance transactions since the last import, or since `since` if that is earlier. A day's range is
 * marked imported once all its pages are stored, so an interrupted import continues where it was; entries read twice
 * are stored once.
 */
export async function importStripe({ database, stripe, now }: JobContext, since: Date | null = null): Promise<void> {
  const em = database.fork();
  const until = await findStripeUntil(em);
  const begin = until ? new Date(until.getTime() - overlapMs) : await findFirstTransferAt(em);
  const end = now();
  let from = since && begin && since < begin ? since : (begin ?? end);
  do {
    const to = new Date(Math.min(end.getTime(), from.getTime() + dayMs));
    const created = { gte: Math.floor(from.getTime() / 1000), lt: Math.floor(to.getTime() / 1000) };
    let after: string | undefined;
    for (;;) {
      const page = await stripe.balanceTransactions.list({
        ...{ created, limit: 100, expand: ['data.source'] },
        ...(after === undefined ? {} : { starting_after: after }),
      });
      const entries = page.data.map(toStripeEntry);
      if (entries.length > 0) await database.transaction((one) => insertStripeEntries(one, entries, now()));
      after = page.data.at(-1)?.id;
      if (!page.has_more || after === undefined) break;
    }
    await database.transaction((one) => noteStripeUntil(one, new Date(created.lt * 1000), now()));
    from = to;
  } while (from < end);
}

/**
 * Imports the bank's missing statements of past days, and again those from `since` on. The bank has no statement for
 * days on which it does not work; a late one is requested again next time.
 */
export async function importBankStatements(context: JobContext, since: string | null = null): Promise<void> {
  const { database, bank, now, log } = context;
  const em = database.fork();
  const last = await findBankUntil(em);
  const first = await findFirstTransferAt(em);
  if (!first) return;
  const yesterday = shiftDay(laPazDay(now()), -1);
  const next = last === null ? laPazDay(first) : shiftDay(last, 1);
  for (const day of daysBetween(since !== null && since < next ? since : next, yesterday)) {
    const text = await bank.statement(day, context.statementFormat);
    if (text === null) continue;
    try {
      await importStatement(database, { file: Buffer.from(text), personId: null, at: now() });
    } catch (error) {
      if (!(error instanceof StatementProblem)) throw error;
      log.error({ day, line: error.line, reason: error.message }, 'the bank returned an unreadable statement');
      return;
    }
  }
}

/** A statement that was imported. */
export interface Imported {
  readonly number: string;
  readonly day: string;
  readonly lines: number;
  /** Lines that were not imported before. */
  readonly added: number;
}

/** Imports a statement file completely or not at all; importing it again changes nothing. @throws StatementProblem */
export async function importStatement(
  database: Database,
  { file, personId, at }: { file: Uint8Array; personId: string | null; at: Date },
): Promise<Imported> {
  const { format, statement, sha256 } = await readStatement(file);
  const { number, day, lines } = statement;
  if (statement.currency !== 'BOB') throw new StatementProblem(null, 'only the account in BOB is compared');
  if (startOfDay(shiftDay(day, 1)) > at) throw new StatementProblem(null, `the day ${day} has not ended`);
  const added = await database.transaction(async (em) => {
    await em.execute(`select pg_advisory_xact_lock(hashtext('bank_statement'))`);
    const [known] = await findStatements(em, { sha256 });
    const lines = known ? 0 : await insertStatement(em, statement, { format, sha256, personId, at });
    if (personId !== null)
      await writeAudit(em, 'statement_imported', { subject: day, detail: { sha256, added: lines } });
    return lines;
  });
  return { number, day, lines: lines.length, added };
}
