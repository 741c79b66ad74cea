import { createHash } from 'node:crypto';
import { stringify } from 'csv-stringify/sync';
import type { Company } from '#core/contracts/company';
import { formats } from '#core/locale/format';
import type { Locale } from '#core/locale/locale';
import { formatMinor } from '#core/money/money';
import {
  chargedStates,
  type StatementFacts,
  statementColumns,
  statementSummary,
  statementTexts,
} from '#core/papers/statement';
import { formatRate } from '#core/rates/rate';
import { arrivedMinor } from '#core/transfers/arrived';
import { referenceOf } from '#core/transfers/reference';
import type { EntityManager } from '#platform/database/database';
import { acceptedOf } from '../transfer-views/transfer-views.ts';
import {
  type StatementRange,
  statementMonths,
  statementRows,
  statementSums,
} from '../transfers/statement.repository.ts';
import type { Transfer } from '../transfers/transfer.repository.ts';
import { issuePaper, keepPaperFile } from './paper.repository.ts';
import { sealOf } from './seal.ts';
import { Sheet } from './sheet.ts';

interface Sender {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** Start and end of a month or a year in La Paz. */
function rangeOf(userId: string, period: string): StatementRange {
  const [year = 0, month] = period.split('-').map(Number);
  // Midnight in La Paz is four in the morning in UTC, all year round.
  const startOf = (months: number) => new Date(Date.UTC(year, months, 1, 4));
  return month
    ? { userId, from: startOf(month - 1), to: startOf(month) }
    : { userId, from: startOf(0), to: startOf(12) };
}

/** The months and years for which a sender can get a statement, latest first; a year before its months. */
export async function listStatementPeriods(em: EntityManager, userId: string) {
  const years = new Map<string, { period: string; transfers: number }[]>();
  for (const { month, transfers } of await statementMonths(em, userId)) {
    const year = month.slice(0, 4);
    years.set(year, [...(years.get(year) ?? []), { period: month, transfers }]);
  }
  const periods = [...years].flatMap(([year, months]) => [
    { period: year, transfers: months.reduce((sum, { transfers }) => sum + transfers, 0) },
    ...months,
  ]);
  return { periods };
}

/** The contents of a statement of a month or a year as of now, apart from its rows. */
export async function readStatement(
  em: EntityManager,
  { id, name, email }: Sender,
  period: string,
): Promise<StatementFacts> {
  return { period, sender: { name, email }, ...(await statementSums(em, rangeOf(id, period))) };
}

const widths = [62, 100, 146, 80, 84, 66, 78, 54, 100];
const leftColumns = 4;
/**
 * Maximum rows of a PDF: each stays in memory as tags until the end. No sender comes near; the CSV has no such limit.
 */
const listedMax = 2_000;

/**
 * A statement as a PDF, in pieces, so that only some rows are in memory at a time. The totals and the seal come last,
 * when all rows are known.
 * @throws when one of its transfers changed during rendering, because rows and totals would not agree.
 */
export async function* renderStatement(
  em: EntityManager,
  input: { sender: Sender; period: string; language: Locale; publicUrl: string; company: Company; at: Date },
): AsyncGenerator<Buffer> {
  const { sender, period, language, publicUrl, company, at } = input;
  const texts = statementTexts[language];
  const named = formats[language].period(period);
  const title = `${texts.title} ${named}`;
  const sheet = new Sheet({ title, language, footer: `Chasqui · ${title} · ${sender.name}`, landscape: true });
  const hash = createHash('sha256');
  sheet.head(texts.title, [named]);
  sheet.columns([
    { title: texts.sender, lines: [sender.name, sender.email] },
    { title: texts.period, lines: [named] },
  ]);
  const columns = statementColumns.map((name, index) => ({
    title: texts.columns[name],
    width: widths[index] ?? 0,
    right: index >= leftColumns,
  }));
  let seen = 0;
  let versions = 0n;
  let marked = false;
  let table: ReturnType<Sheet['table']> | undefined;
  for await (const rows of statementRows(em, rangeOf(sender.id, period))) {
    table ??= sheet.table(columns);
    for (const transfer of rows.slice(0, Math.max(0, listedMax - seen))) table.row(cellsOf(transfer, language));
    marked ||= rows.some(({ acceptedRate }) => acceptedRate != null);
    seen += rows.length;
    versions += rows.reduce((sum, { version }) => sum + BigInt(version), 0n);
    const finished = sheet.take();
    if (finished) {
      hash.update(finished);
      yield finished;
    }
  }
  table?.end();
  if (!table) sheet.standing(texts.none);
  const statement = await readStatement(em, sender, period);
  if (statement.transfers !== seen || statement.revision !== String(versions))
    throw new Error('a transfer changed while its statement was written');
  for (const section of statementSummary(statement, language)) sheet.section(section);
  const left = seen > listedMax ? ` ${texts.more(listedMax)}` : '';
  const facts = { kind: 'statement', statement } as const;
  const paper = await issuePaper(em, { facts, userId: sender.id, transferId: null, at });
  const notes = `${texts.notes}${left}${marked ? ` ${texts.betterRate}` : ''}`;
  sheet.seal(sealOf(paper, { language, publicUrl, company }), notes);
  const rest = await sheet.end(paper.issuedAt);
  hash.update(rest);
  await keepPaperFile(em, { content: { sha256: hash.digest('hex') }, code: paper.code, language, at });
  yield rest;
}

function cellsOf(transfer: Transfer, language: Locale): string[] {
  const { money, bolivianos, shortDay, rate } = formats[language];
  const { currency, state } = transfer;
  const charged = chargedStates.has(state);
  const amount = (minor: bigint) => (charged ? money(formatMinor(minor), currency) : '–');
  return [
    shortDay(transfer.createdAt.toISOString()),
    referenceOf(transfer.id),
    transfer.payoutTarget?.name ?? '–',
    statementTexts[language].states[state],
    amount(transfer.amountMinor),
    amount(transfer.feeMinor),
    amount(transfer.returnedMinor),
    `${rate(formatRate(transfer.rate))}${transfer.acceptedRate == null ? '' : '*'}`,
    state === 'completed' ? bolivianos(formatMinor(arrivedMinor(transfer))) : '–',
  ];
}

const csvTitles = {
  es: [
    'Identificador',
    'Cuenta',
    'Banco',
    'Moneda',
    'Cambiado',
    'Ofrecido en Bs',
    'Referencia del banco',
    'Tasa aceptada',
    'Aceptado en Bs',
  ],
  en: [
    'Identifier',
    'Account',
    'Bank',
    'Currency',
    'Exchanged',
    'Promised in BOB',
    'Bank reference',
    'Accepted rate',
    'Accepted in BOB',
  ],
} as const;

/**
 * The same transfers for a spreadsheet, in pieces: UTF-8 with a byte-order mark, commas, decimal points, times of
 * Bolivia.
 */
export function renderStatementCsv(
  em: EntityManager,
  { sender, period, language }: { sender: Sender; period: string; language: Locale },
): AsyncGenerator<Buffer> {
  return renderCsv(em, rangeOf(sender.id, period), language);
}

/** All of a sender's transfers until a moment, as such a file. */
export function renderTransfersCsv(
  em: EntityManager,
  { userId, language, at }: { userId: string; language: Locale; at: Date },
): AsyncGenerator<Buffer> {
  return renderCsv(em, { userId, from: new Date(0), to: at }, language);
}

async function* renderCsv(em: EntityManager, range: StatementRange, language: Locale): AsyncGenerator<Buffer> {
  const { columns, zone } = statementTexts[language];
  const [id, account, bank, currency, exchanged, promised, bankReference, acceptedRate, accepted] = csvTitles[language];
  const head = [
    ...[`${columns.day} (${zone})`, columns.reference, columns.recipient, bank, account, columns.state, currency],
    ...[columns.paid, columns.fee, exchanged, columns.rate, promised, columns.bolivianos, columns.returned],
    ...[bankReference, id, acceptedRate, accepted],
  ];
  yield Buffer.from(stringify([head], { bom: true }));
  for await (const rows of statementRows(em, range)) {
    // Escapes cells that look like a formula, because names are user input.
    yield Buffer.from(
      stringify(
        rows.map((transfer) => recordOf(transfer, language)),
        { escape_formulas: true },
      ),
    );
  }
}

function recordOf(transfer: Transfer, language: Locale): string[] {
  const { payoutTarget: target, state } = transfer;
  const charged = (minor: bigint) => (chargedStates.has(state) ? formatMinor(minor) : '0.00');
  const arrived = arrivedMinor(transfer);
  const accepted = acceptedOf(transfer);
  return [
    laPazMinute(transfer.createdAt),
    referenceOf(transfer.id),
    ...[target?.name ?? '', target?.bankName ?? '', target ? `•••• ${target.bankAccount.slice(-4)}` : ''],
    ...[statementTexts[language].states[state], transfer.currency],
    ...[charged(transfer.amountMinor), charged(transfer.feeMinor), charged(transfer.netMinor)],
    ...[formatRate(transfer.rate), formatMinor(transfer.bolivianosMinor), formatMinor(arrived)],
    ...[charged(transfer.returnedMinor), transfer.payoutReference ?? '', transfer.id],
    ...[accepted?.rate ?? '', accepted?.bolivianos ?? ''],
  ];
}

/** "2026-11-23 10:05", in Bolivian time. */
const laPazMinute = (at: Date) => new Date(at.getTime() - 4 * 3_600_000).toISOString().slice(0, 16).replace('T', ' ');
