import { CsvError, parse } from 'csv-parse/sync';
import {
  checkStatement,
  readAmount,
  readCurrency,
  readDay,
  readText,
  type Statement,
  type StatementLine,
  StatementProblem,
} from './statement.ts';

/** Columns of a statement in CSV; the first line names them, in any order. */
export const statementColumns = [
  ...['record', 'statement', 'account', 'currency', 'date'],
  ...['line', 'amount', 'end_to_end_id', 'bank_reference', 'code', 'description'],
] as const;
/** Some banks add a column with the currency of the payment order. */
type Row = Record<(typeof statementColumns)[number], string> & { readonly instructed_currency?: string };

/**
 * Reads a statement in CSV: a record `opening` with the balance, an `entry` for every line, and `closing`. Amounts are decimal text with a
 * point, negative when they leave the account. @throws StatementProblem with line and reason.
 */
export function readCsvStatement(text: string): Statement {
  const rows = parseRows(text);
  const only = (record: string) => {
    const found = rows.filter(({ row }) => row.record === record);
    const [one] = found;
    if (!one || found.length > 1)
      throw new StatementProblem(found[1]?.line ?? null, `exactly one record "${record}" is needed`);
    return one;
  };
  const [opening, closing] = [only('opening'), only('closing')];
  const entries = rows.filter(({ row }) => row.record === 'entry');
  for (const { row, line } of rows) {
    if (!['opening', 'entry', 'closing'].includes(row.record))
      throw new StatementProblem(line, `no such record: "${row.record.slice(0, 40)}"`);
    for (const name of ['statement', 'account', 'currency'] as const) {
      if (row[name] !== closing.row[name])
        throw new StatementProblem(line, `another ${name} than in the closing record`);
    }
  }
  const { row, line } = closing;
  return checkStatement(
    {
      account: readText(row.account, { name: 'account', line }),
      number: readText(row.statement, { name: 'statement', line }),
      currency: readText(row.currency, { name: 'currency', line }),
      day: readDay(row.date, line),
      openingMinor: signed(opening.row.amount, opening.line),
      closingMinor: signed(row.amount, line),
      lines: entries.map(readEntry),
    },
    (index) => entries[index]?.line ?? 1,
  );
}

function readEntry({ row, line }: { row: Row; line: number }): StatementLine {
  return {
    reference: readText(row.line, { name: 'line', line }),
    amountMinor: signed(row.amount, line),
    day: readDay(row.date, line),
    externalId: row.end_to_end_id.trim().slice(0, 200) || null,
    bankReference: row.bank_reference.trim().slice(0, 200) || null,
    isFee: row.code === 'fee',
    description: row.description.trim().slice(0, 500) || null,
    instructedCurrency: readCurrency(row.instructed_currency?.trim() ?? '', line),
  };
}

function signed(text: string, line: number): bigint {
  return text.startsWith('-') ? -readAmount(text.slice(1), line) : readAmount(text, line);
}

function parseRows(text: string): { row: Row; line: number }[] {
  try {
    const records = parse(text, {
      bom: true,
      info: true,
      skip_empty_lines: true,
      columns: true,
      max_record_size: 10_000,
    }) as unknown as {
      record: Record<string, string>;
      info: { lines: number };
    }[];
    const missing = statementColumns.filter((name) => records[0] && !Object.hasOwn(records[0].record, name));
    if (missing.length > 0) throw new StatementProblem(1, `columns are missing: ${missing.join(', ')}`);
    return records.map(({ record, info }) => ({ row: record as Row, line: info.lines }));
  } catch (error) {
    if (error instanceof CsvError) throw new StatementProblem(Number(error.lines) || null, error.message);
    throw error;
  }
}
