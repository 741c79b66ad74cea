/** Statements of the simulated bank's account: one for every day that ended, as CSV or camt.053, with differences from the truth on demand. */
import { z } from 'zod';
import { shiftDay, startOfDay } from '#core/reconciliation/days';
import { laPazDay } from '#core/time/time';
import type { SandboxContext } from '../context.ts';
import { BankError, bankMode, listPayouts } from './payouts.ts';
import type { PayoutReturn } from './returns.ts';

const day = z.iso.date();
const cents = z.int().refine((value) => value !== 0, 'must not be zero');
const of = { externalId: z.string().min(1).max(200), record: z.enum(['payout', 'return']).default('payout') };

/** Deliberate differences between the statements and the bank's movements. */
export const bankDifferenceSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('missing'), ...of }),
  z.strictObject({ kind: z.literal('doubled'), ...of }),
  z.strictObject({ kind: z.literal('amount'), ...of, byCents: cents }),
  z.strictObject({ kind: z.literal('day'), ...of, days: z.int().min(-30).max(30) }),
  z.strictObject({ kind: z.literal('reference'), ...of, reference: z.string().min(1).max(60) }),
  /** The bank understood the payment in another currency; the debit is still in the account's currency. */
  z.strictObject({ kind: z.literal('currency'), ...of, currency: z.enum(['EUR', 'USD']), byCents: cents }),
  /** An unrequested movement, or a bank fee. */
  z.strictObject({
    ...{ kind: z.literal('extra'), day, cents, fee: z.boolean().default(false) },
    ...{ externalId: z.string().max(200).nullable().default(null), description: z.string().max(200).default('') },
  }),
  /** The statement of the day begins with another balance than the one before ended with. */
  z.strictObject({ kind: z.literal('gap'), day, byCents: cents }),
]);
export type BankDifference = z.infer<typeof bankDifferenceSchema>;

const SETTING = 'bank_differences';
/** The balance before the first movement. */
const OPENING_CENTS = 1_000_000_000;
const ACCOUNT = '10000000591001';

export function bankDifferences(context: SandboxContext): BankDifference[] {
  return context.storage.setting<BankDifference[]>(SETTING, []);
}

/** Must run in a transaction. */
export function addBankDifference(context: SandboxContext, difference: BankDifference): BankDifference {
  context.storage.setSetting(SETTING, [...bankDifferences(context), difference]);
  return difference;
}

interface Line {
  id: string;
  day: string;
  /** Signed. */
  cents: number;
  externalId: string | null;
  reference: string;
  fee: boolean;
  description: string;
  /** The currency in which the bank understood the payment, where it is another than the account's. */
  instructedCurrency?: string;
}

const centsOf = (amount: string) => Number(amount.replace('.', ''));

/** The first day on which the bank works, from a moment on. */
function bookedOn(at: string, closedOn: readonly string[]): string {
  let day = laPazDay(new Date(at));
  while (closedOn.includes(day)) day = shiftDay(day, 1);
  return day;
}

/** Every line of every statement, with the differences. */
function allLines(context: SandboxContext): Line[] {
  const { storage } = context;
  const payouts = listPayouts(context, -1).toReversed();
  const returns = storage
    .all('SELECT body FROM payout_returns ORDER BY seq')
    .map(({ body }) => JSON.parse(String(body)) as PayoutReturn);
  const differences = bankDifferences(context);
  const { closedOn } = bankMode(context);
  const dayOf = (at: string) => bookedOn(at, closedOn);
  const lines = [
    ...payouts.flatMap((one): (Line & { record: string })[] =>
      one.reference === null
        ? []
        : [
            {
              ...{
                record: 'payout',
                id: one.id,
                day: dayOf(one.settledAt ?? one.createdAt),
                cents: -centsOf(one.amount),
                fee: false,
              },
              ...{ externalId: one.externalId, reference: one.reference, description: 'ABONO A TERCEROS' },
            },
          ],
    ),
    ...returns.map((one) => ({
      ...{ record: 'return', id: one.id, day: dayOf(one.createdAt), cents: centsOf(one.amount), fee: false },
      ...{ externalId: one.externalId, reference: one.reference, description: `DEVOLUCION ${one.code}` },
    })),
  ].flatMap(({ record, ...line }) =>
    differences
      .filter((one) => 'record' in one && one.externalId === line.externalId && one.record === record)
      .reduce<Line[]>((result, difference) => result.flatMap((one) => changed(one, difference)), [line]),
  );
  const extra = differences.flatMap((one, index): Line[] => {
    if (one.kind !== 'extra') return [];
    const reference = `BX${String(index).padStart(10, '0')}`;
    const { day, cents, fee, externalId, description } = one;
    return [{ id: `bx_${index}`, day, cents, externalId, reference, fee, description }];
  });
  return [...lines, ...extra];
}

function changed(line: Line, difference: BankDifference): Line[] {
  switch (difference.kind) {
    case 'missing':
      return [];
    case 'doubled':
      return [line, { ...line, id: `${line.id}_again` }];
    case 'amount':
      return [{ ...line, cents: line.cents + difference.byCents }];
    case 'day':
      return [{ ...line, day: shiftDay(line.day, difference.days) }];
    case 'reference':
      return [{ ...line, reference: difference.reference }];
    case 'currency':
      return [{ ...line, cents: line.cents + difference.byCents, instructedCurrency: difference.currency }];
    default:
      return [line];
  }
}

/** The statement of a day. @throws BankError while the day has not ended. */
export function statementOf(context: SandboxContext, day: string, format: 'camt053' | 'csv'): string {
  if (startOfDay(shiftDay(day, 1)).getTime() > context.clock.millis()) {
    throw new BankError(404, 'statement_not_found', 'The day has not ended yet.');
  }
  if (bankMode(context).closedOn.includes(day)) {
    throw new BankError(404, 'statement_not_found', 'The bank did not work on that day.');
  }
  const lines = allLines(context);
  const gaps = bankDifferences(context).flatMap((one) => (one.kind === 'gap' && one.day <= day ? [one.byCents] : []));
  const before = lines.filter((line) => line.day < day);
  const opening = [...before.map((line) => line.cents), ...gaps].reduce((sum, one) => sum + one, OPENING_CENTS);
  const ofDay = lines.filter((line) => line.day === day);
  const closing = ofDay.reduce((sum, line) => sum + line.cents, opening);
  const statement = { day, number: `CHQ-${day}`, opening, closing, lines: ofDay };
  return format === 'csv' ? toCsv(statement) : toCamt053(statement);
}

type Statement = { day: string; number: string; opening: number; closing: number; lines: Line[] };

const decimal = (cents: number) => `${cents < 0 ? '-' : ''}${(Math.abs(cents) / 100).toFixed(2)}`;

function toCsv({ day, number, opening, closing, lines }: Statement): string {
  const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const row = (record: string, rest: (string | null)[]) =>
    [record, number, ACCOUNT, 'BOB', day, ...rest].map((cell) => quoted(cell ?? '')).join(',');
  return [
    'record,statement,account,currency,date,line,amount,end_to_end_id,bank_reference,code,description,instructed_currency',
    row('opening', ['', decimal(opening), '', '', '', '', '']),
    ...lines.map((line) =>
      row('entry', [
        line.id,
        decimal(line.cents),
        line.externalId,
        line.reference,
        line.fee ? 'fee' : '',
        line.description,
        line.instructedCurrency ?? null,
      ]),
    ),
    row('closing', ['', decimal(closing), '', '', '', '', '']),
    '',
  ].join('\r\n');
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** ISO 20022 BankToCustomerStatement, version 8, as the Swiss and European banks fill it in. */
function toCamt053({ day, number, opening, closing, lines }: Statement): string {
  const amount = (cents: number) =>
    `<Amt Ccy="BOB">${decimal(Math.abs(cents))}</Amt><CdtDbtInd>${cents < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd>`;
  const balance = (code: string, cents: number) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amount(cents)}<Dt><Dt>${day}</Dt></Dt></Bal>`;
  const entry = (line: Line) => [
    '<Ntry>',
    `<NtryRef>${escaped(line.id)}</NtryRef>${amount(line.cents)}<Sts><Cd>BOOK</Cd></Sts>`,
    `<BookgDt><Dt>${day}</Dt></BookgDt><ValDt><Dt>${day}</Dt></ValDt><AcctSvcrRef>${escaped(line.reference)}</AcctSvcrRef>`,
    `<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>${line.cents < 0 ? 'ICDT' : 'RCDT'}</Cd>`,
    `<SubFmlyCd>${line.fee ? 'CHRG' : 'DMCT'}</SubFmlyCd></Fmly></Domn></BkTxCd>`,
    '<NtryDtls><TxDtls><Refs>',
    `<AcctSvcrRef>${escaped(line.reference)}</AcctSvcrRef>`,
    `<EndToEndId>${escaped(line.externalId ?? 'NOTPROVIDED')}</EndToEndId>`,
    `</Refs>${instructed(line)}</TxDtls></NtryDtls>`,
    `<AddtlNtryInf>${escaped(line.description)}</AddtlNtryInf>`,
    '</Ntry>',
  ];
  // The amount at about the bank's own rate for a dollar or a euro; it is never read.
  const instructed = ({ cents, instructedCurrency }: Line) =>
    instructedCurrency === undefined
      ? ''
      : `<AmtDtls><InstdAmt><Amt Ccy="${instructedCurrency}">${decimal(Math.round(Math.abs(cents) / 7))}</Amt></InstdAmt></AmtDtls>`;
  const created = new Date(startOfDay(shiftDay(day, 1))).toISOString();
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>',
    `<GrpHdr><MsgId>${number}</MsgId><CreDtTm>${created}</CreDtTm></GrpHdr>`,
    `<Stmt><Id>${number}</Id><CreDtTm>${created}</CreDtTm>`,
    `<FrToDt><FrDtTm>${startOfDay(day).toISOString()}</FrDtTm><ToDtTm>${created}</ToDtTm></FrToDt>`,
    `<Acct><Id><Othr><Id>${ACCOUNT}</Id></Othr></Id><Ccy>BOB</Ccy></Acct>`,
    `${balance('OPBD', opening)}${balance('CLBD', closing)}`,
    ...lines.flatMap(entry),
    '</Stmt></BkToCstmrStmt></Document>',
    '',
  ].join('\n');
}
