import { describe, expect, test } from 'vitest';
import { readCamt053 } from './camt053.ts';
import { readCsvStatement } from './csv-statement.ts';
import { StatementProblem } from './statement.ts';

const columns = 'record,statement,account,currency,date,line,amount,end_to_end_id,bank_reference,code,description';
const csv = (instructed: string) =>
  [
    `${columns},instructed_currency`,
    'opening,E1,BO1,BOB,2026-12-01,,1000.00,,,,,',
    'entry,E1,BO1,BOB,2026-12-01,1,-1291.17,transfer-1,BO2,,ABONO,',
    `entry,E1,BO1,BOB,2026-12-01,2,-90.00,transfer-2,BO3,,ABONO,${instructed}`,
    'closing,E1,BO1,BOB,2026-12-01,,-381.17,,,,,',
  ].join('\n');

const amount = (text: string, sign: 'CRDT' | 'DBIT') => `<Amt Ccy="BOB">${text}</Amt><CdtDbtInd>${sign}</CdtDbtInd>`;
const balance = (code: string, text: string, sign: 'CRDT' | 'DBIT') =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amount(text, sign)}<Dt><Dt>2026-12-01</Dt></Dt></Bal>`;
const entry = (line: number, text: string, details: string) =>
  `<Ntry><NtryRef>${line}</NtryRef>${amount(text, 'DBIT')}<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-12-01</Dt></BookgDt>
  <NtryDtls><TxDtls><Refs><AcctSvcrRef>BO${line + 1}</AcctSvcrRef><EndToEndId>transfer-${line}</EndToEndId></Refs>${details}</TxDtls></NtryDtls>
  <AddtlNtryInf>ABONO</AddtlNtryInf></Ntry>`;
const camt = (instructed: string) =>
  `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Id>E1</Id>
  <Acct><Id><Othr><Id>BO1</Id></Othr></Id><Ccy>BOB</Ccy></Acct>
  ${balance('OPBD', '1000.00', 'CRDT')}${balance('CLBD', '381.17', 'DBIT')}
  ${entry(1, '1291.17', '')}
  ${entry(2, '90.00', `<AmtDtls><InstdAmt><Amt Ccy="${instructed}">12.86</Amt></InstdAmt></AmtDtls>`)}
  </Stmt></BkToCstmrStmt></Document>`;

describe.each([
  { format: 'CSV', read: readCsvStatement, text: csv, line: 4 },
  { format: 'camt.053', read: readCamt053, text: camt, line: 7 },
])('a statement in $format', ({ read, text, line }) => {
  test('states the currency of the payment order, if the bank reports it', () => {
    const rest = { day: '2026-12-01', isFee: false, description: 'ABONO' };
    const [first, second] = [
      { reference: '1', amountMinor: -129_117n, externalId: 'transfer-1', bankReference: 'BO2' },
      { reference: '2', amountMinor: -9_000n, externalId: 'transfer-2', bankReference: 'BO3' },
    ];
    expect(read(text('USD'))).toEqual({
      ...{ account: 'BO1', number: 'E1', currency: 'BOB', day: '2026-12-01' },
      ...{ openingMinor: 100_000n, closingMinor: -38_117n },
      lines: [
        { ...first, ...rest, instructedCurrency: null },
        { ...second, ...rest, instructedCurrency: 'USD' },
      ],
    });
  });

  test('is rejected completely for an invalid currency', () => {
    expect(() => read(text('dólares'))).toThrow(
      expect.objectContaining({ line, message: 'not a currency: "dólares"' }),
    );
  });
});

test('a statement in CSV needs no column for the currency of the payment order', () => {
  const without = csv('').replaceAll(/,(instructed_currency)?$/gm, '');
  expect(readCsvStatement(without).lines.map(({ instructedCurrency }) => instructedCurrency)).toEqual([null, null]);
});

test.each([
  ['a reserved name', camt('USD').replace('<Stmt>', '<Stmt><__proto__>x</__proto__>')],
  ['nested beyond reason', camt('USD').replace('<Stmt>', `<Stmt>${'<a>'.repeat(5_000)}${'</a>'.repeat(5_000)}`)],
])('XML with %s is rejected as a statement, not as an internal error', (_, text) => {
  expect(() => readCamt053(text)).toThrow(StatementProblem);
});
