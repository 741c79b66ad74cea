import { parseMinor } from '#core/money/money';

export type StatementFormat = 'camt053' | 'csv';

/** A line of a statement as the bank writes it. */
export interface StatementLine {
  /** The bank's number of the line within its statement. */
  readonly reference: string;
  /** Signed minor units: positive is a credit to our account. */
  readonly amountMinor: bigint;
  readonly day: string;
  /** Our id of the payment, if the bank repeats it. */
  readonly externalId: string | null;
  /** The bank's number of the payment. */
  readonly bankReference: string | null;
  readonly isFee: boolean;
  readonly description: string | null;
  /** Currency of the payment order, if stated; the amount is in the account's currency. */
  readonly instructedCurrency: string | null;
}

/** A statement of one account for one day. */
export interface Statement {
  readonly account: string;
  readonly number: string;
  readonly day: string;
  readonly currency: string;
  readonly openingMinor: bigint;
  readonly closingMinor: bigint;
  readonly lines: readonly StatementLine[];
}

/** An invalid statement file, of which nothing is imported. */
export class StatementProblem extends Error {
  override readonly name = 'StatementProblem';
  /** Line in the file, from 1; null if it concerns the whole file. */
  readonly line: number | null;

  constructor(line: number | null, reason: string) {
    super(reason);
    this.line = line;
  }
}

/** A positive amount. @throws StatementProblem */
export function readAmount(text: string, line: number): bigint {
  // ISO 20022 allows up to five decimals; zeros beyond the second are insignificant.
  const minor = parseMinor(text.replace(/^(\d+\.\d{2})0{1,3}$/, '$1'));
  if (minor === null) throw new StatementProblem(line, `not an amount: "${text.slice(0, 40)}"`);
  return minor;
}

/** A calendar day. @throws StatementProblem */
export function readDay(text: string, line: number): string {
  const day = text.slice(0, 10);
  const isDay =
    /^\d{4}-\d{2}-\d{2}$/.test(day) &&
    !Number.isNaN(Date.parse(day)) &&
    new Date(Date.parse(day)).toISOString().startsWith(day);
  if (!isDay) throw new StatementProblem(line, `not a date: "${text.slice(0, 40)}"`);
  return day;
}

/** The code of a currency, or null if absent. @throws StatementProblem */
export function readCurrency(text: string, line: number): string | null {
  if (text === '') return null;
  if (!/^[A-Z]{3}$/.test(text)) throw new StatementProblem(line, `not a currency: "${text.slice(0, 40)}"`);
  return text;
}

/** A required text. @throws StatementProblem */
export function readText(value: unknown, { name, line }: { name: string; line: number | null }): string {
  const text = typeof value === 'string' ? value.trim() : '';
  if (text === '' || text.length > 200 || /\p{Cc}/u.test(text))
    throw new StatementProblem(line, `${name} is missing or unusable`);
  return text;
}

/** Validates a complete statement. @throws StatementProblem */
export function checkStatement(statement: Statement, lineOf: (index: number) => number): Statement {
  const { lines, openingMinor, closingMinor, day } = statement;
  const seen = new Set<string>();
  for (const [index, { reference, day: booked, amountMinor }] of lines.entries()) {
    if (seen.has(reference)) throw new StatementProblem(lineOf(index), `the line ${reference} appears twice`);
    seen.add(reference);
    if (amountMinor === 0n) throw new StatementProblem(lineOf(index), 'an entry of nothing');
    if (booked !== day) throw new StatementProblem(lineOf(index), `booked on ${booked}, in the statement of ${day}`);
  }
  const sum = lines.reduce((total, { amountMinor }) => total + amountMinor, openingMinor);
  if (sum !== closingMinor) {
    throw new StatementProblem(
      null,
      `the lines lead to a balance of ${sum} minor units, the statement says ${closingMinor}`,
    );
  }
  return statement;
}
