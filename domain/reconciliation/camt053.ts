import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { z } from 'zod';
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

const amount = z.object({ '#text': z.string(), '@_Ccy': z.string() });
const date = z.object({ Dt: z.string().optional(), DtTm: z.string().optional() });
const indicator = z.enum(['CRDT', 'DBIT']);
const code = z.object({ Cd: z.string().optional(), Prtry: z.string().optional() });

/** The elements of camt.053 (BankToCustomerStatement, any version) that are read; others are ignored. */
const entrySchema = z.object({
  NtryRef: z.string().optional(),
  Amt: amount,
  CdtDbtInd: indicator,
  Sts: z.union([z.string(), code]),
  BookgDt: date,
  AcctSvcrRef: z.string().optional(),
  BkTxCd: z.object({ Domn: z.object({ Fmly: z.object({ SubFmlyCd: z.string() }) }).optional() }).optional(),
  NtryDtls: z
    .array(
      z.object({
        TxDtls: z
          .array(
            z.object({
              Refs: z.object({ EndToEndId: z.string().optional(), AcctSvcrRef: z.string().optional() }).optional(),
              AmtDtls: z.object({ InstdAmt: z.object({ Amt: amount }).optional() }).optional(),
            }),
          )
          .default([]),
      }),
    )
    .default([]),
  AddtlNtryInf: z.string().optional(),
});
const balanceSchema = z.object({
  Tp: z.object({ CdOrPrtry: code }),
  Amt: amount,
  CdtDbtInd: indicator,
  Dt: date,
});
const documentSchema = z.object({
  Document: z.object({
    BkToCstmrStmt: z.object({
      Stmt: z.object({
        Id: z.string(),
        Acct: z.object({
          Id: z.object({ IBAN: z.string().optional(), Othr: z.object({ Id: z.string() }).optional() }),
          Ccy: z.string().optional(),
        }),
        Bal: z.array(z.unknown()),
        Ntry: z.array(z.unknown()).default([]),
      }),
    }),
  }),
});

const parser = new XMLParser({
  ignoreAttributes: false,
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: true,
  isArray: (name) => ['Ntry', 'Bal', 'NtryDtls', 'TxDtls'].includes(name),
});

/** The families of fees among the bank's transaction codes. */
const feeCodes: ReadonlySet<string> = new Set(['CHRG', 'COMM', 'FEES']);

/** Reads a statement in camt.053. @throws StatementProblem with line and reason. */
export function readCamt053(text: string): Statement {
  // Statements need no document type, and its entities could expand a small file to a huge one.
  if (/<!DOCTYPE/i.test(text))
    throw new StatementProblem(lineAt(text, text.search(/<!DOCTYPE/i)), 'a document type is not taken');
  const valid = XMLValidator.validate(text);
  if (valid !== true) throw new StatementProblem(valid.err.line, valid.err.msg);
  const document = read(documentSchema, parse(text), { line: null, name: 'Document' });
  const { Id, Acct, Bal, Ntry } = document.Document.BkToCstmrStmt.Stmt;
  const account = readText(Acct.Id.IBAN ?? Acct.Id.Othr?.Id, { name: 'Acct/Id', line: null });
  const balanceLines = linesOf(text, 'Bal');
  const balances = Bal.map((one, index) => {
    const line = balanceLines[index] ?? 1;
    return { ...read(balanceSchema, one, { line, name: 'Bal' }), line };
  });
  const balance = (kind: string) => {
    const found = balances.find(({ Tp }) => Tp.CdOrPrtry.Cd === kind);
    if (!found) throw new StatementProblem(null, `the balance ${kind} is missing`);
    return { minor: signed(found, found.line), day: dayOf(found.Dt, found.line), currency: found.Amt['@_Ccy'] };
  };
  const [opening, closing] = [balance('OPBD'), balance('CLBD')];
  const { currency, day } = closing;
  if (opening.currency !== currency || (Acct.Ccy && Acct.Ccy !== currency)) {
    throw new StatementProblem(null, 'account and balances are in different currencies');
  }
  const entryLines = linesOf(text, 'Ntry');
  const lineOfEntry = (index: number) => entryLines[index] ?? 1;
  const lines = Ntry.map((one, index) => readEntry(one, { line: lineOfEntry(index), currency })).filter(
    (one) => one !== null,
  );
  const number = readText(Id, { name: 'Stmt/Id', line: null });
  return checkStatement(
    { account, number, day, currency, openingMinor: opening.minor, closingMinor: closing.minor, lines },
    lineOfEntry,
  );
}

/** Null: it is not booked yet, and appears again in a later statement. */
function readEntry(element: unknown, { line, currency }: { line: number; currency: string }): StatementLine | null {
  const entry = read(entrySchema, element, { line, name: 'Ntry' });
  const status = typeof entry.Sts === 'string' ? entry.Sts : entry.Sts.Cd;
  if (status !== 'BOOK') return null;
  if (entry.Amt['@_Ccy'] !== currency) throw new StatementProblem(line, `an entry in ${entry.Amt['@_Ccy']}`);
  const payments = entry.NtryDtls.flatMap(({ TxDtls }) => TxDtls);
  if (payments.length > 1)
    throw new StatementProblem(line, 'an entry of several payments; ask the bank for one entry each');
  const { Refs: refs, AmtDtls: amounts } = payments[0] ?? {};
  const bankReference = refs?.AcctSvcrRef ?? entry.AcctSvcrRef;
  const endToEnd = refs?.EndToEndId;
  return {
    reference: readText(entry.NtryRef ?? entry.AcctSvcrRef, { name: 'NtryRef', line }),
    amountMinor: signed(entry, line),
    day: dayOf(entry.BookgDt, line),
    externalId: endToEnd && endToEnd !== 'NOTPROVIDED' ? endToEnd.slice(0, 200) : null,
    bankReference: bankReference?.slice(0, 200) ?? null,
    isFee: feeCodes.has(entry.BkTxCd?.Domn?.Fmly.SubFmlyCd ?? ''),
    description: entry.AddtlNtryInf?.slice(0, 500) ?? null,
    instructedCurrency: readCurrency(amounts?.InstdAmt?.Amt['@_Ccy'] ?? '', line),
  };
}

function signed(one: { Amt: z.infer<typeof amount>; CdtDbtInd: 'CRDT' | 'DBIT' }, line: number): bigint {
  const minor = readAmount(one.Amt['#text'], line);
  return one.CdtDbtInd === 'CRDT' ? minor : -minor;
}

const dayOf = ({ Dt, DtTm }: z.infer<typeof date>, line: number) => readDay(Dt ?? DtTm ?? '', line);

function read<Shape>(
  schema: z.ZodType<Shape>,
  value: unknown,
  { line, name }: { line: number | null; name: string },
): Shape {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new StatementProblem(line, `${[name, ...(issue?.path ?? [])].join('/')}: ${issue?.message ?? 'invalid'}`);
}

/** The starting lines of the elements with a name, in one pass. */
function linesOf(text: string, name: string): number[] {
  const lines: number[] = [];
  let line = 1;
  for (const [found] of text.matchAll(new RegExp(`\\n|<(?:[\\w.-]+:)?${name}(?=[\\s>])`, 'g'))) {
    if (found === '\n') line += 1;
    else lines.push(line);
  }
  return lines;
}

/** Parses well-formed XML. @throws StatementProblem for reserved names and deep nesting. */
function parse(text: string): unknown {
  try {
    return parser.parse(text);
  } catch (error) {
    throw new StatementProblem(null, error instanceof Error ? error.message : 'invalid XML');
  }
}

function lineAt(text: string, position: number): number {
  return text.slice(0, position).split('\n').length;
}
