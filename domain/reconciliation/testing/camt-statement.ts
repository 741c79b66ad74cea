const amount = (text: string, sign: 'CRDT' | 'DBIT') => `<Amt Ccy="BOB">${text}</Amt><CdtDbtInd>${sign}</CdtDbtInd>`;
const balance = (code: string, text: string, sign: 'CRDT' | 'DBIT') =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amount(text, sign)}<Dt><Dt>2026-12-01</Dt></Dt></Bal>`;
const entry = (line: number) =>
  `<Ntry><NtryRef>${line}</NtryRef>${amount('1.00', 'DBIT')}<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-12-01</Dt></BookgDt>` +
  `<NtryDtls><TxDtls><Refs><AcctSvcrRef>BO${line}</AcctSvcrRef><EndToEndId>transfer-${line}</EndToEndId></Refs></TxDtls></NtryDtls>` +
  '<AddtlNtryInf>ABONO A TERCEROS</AddtlNtryInf></Ntry>\n';

/** A valid camt.053 statement with `entries` payments of 1 Bs, about 310 bytes each; the first is on line 6. */
export function camtStatement(entries: number): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Id>E1</Id>
<Acct><Id><Othr><Id>BO1</Id></Othr></Id><Ccy>BOB</Ccy></Acct>
${balance('OPBD', '0.00', 'CRDT')}
${balance('CLBD', `${entries}.00`, 'DBIT')}
${Array.from({ length: entries }, (_, index) => entry(index + 1)).join('')}</Stmt></BkToCstmrStmt></Document>`;
}
