import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import readQr from 'jsqr';
import { extractText, getDocumentProxy, getMeta } from 'unpdf';
import { expect, test } from 'vitest';
import type { Company } from '#core/contracts/company';
import type { Locale } from '#core/locale/locale';
import { statedLines } from '#core/papers/stated';
import type { Rate } from '#core/rates/rate';
import { referenceOf } from '#core/transfers/reference';
import { createTestUser } from '../../testing/accounts.ts';
import { company } from '../../testing/email-samples.ts';
import { usePaymentFixture } from '../../testing/payment-fixture.ts';
import { transferIn } from '../../testing/transfers.ts';
import { reportComplaint } from '../complaint-handling/report.ts';
import { syncPayment } from '../payments/sync-payment.ts';
import { storeDisclosure } from '../transfers/disclosure.repository.ts';
import { checkPaper } from './check-paper.ts';
import { issueDisclosure, issueLetter, issueReceipt } from './issue.ts';
import { listStatementPeriods, renderStatement, renderStatementCsv } from './statement.ts';

const fixture = usePaymentFixture();
const publicUrl = 'https://chasqui.example';
/** An installation without a configured company, where no card is charged. */
const demonstration: Company = {
  ...{ isDemonstration: true, name: null, address: null },
  ...{ license: null, regulator: null, registerUrl: null, funds: null },
};
const contact = { whatsapp: '59171234567', email: 'ayuda@chasqui.example' };
/** Letters of Western and Central Europe, and the apostrophe of Quechua. */
const sender = { name: 'Zoë Núñez Žižková', email: 'zoe@example.com' };

async function collect(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

const sha256 = (file: Buffer) => createHash('sha256').update(file).digest('hex');
const check = (by: { code: string } | { fileHash: string }) => checkPaper(fixture.database.fork(), by);
const notFound = expect.objectContaining({ code: 'not_found' });

/** The text of a PDF with collapsed whitespace, and its metadata. */
async function read(file: Buffer) {
  const pdf = await getDocumentProxy(new Uint8Array(file));
  const { text, totalPages } = await extractText(pdf, { mergePages: true });
  const { info } = await getMeta(pdf);
  return { text: text.replace(/\s+/g, ' '), pages: totalPages, title: info.Title, language: info.Language };
}

/** The URL in the QR code of a file's last page, decoded from its drawn modules. */
function readSeal(file: Buffer): string | undefined {
  const source = file.toString('latin1');
  const streams = [...source.matchAll(/\/FlateDecode[\s\S]*?stream\r?\n/g)].flatMap(({ index, 0: head }) => {
    const start = index + head.length;
    try {
      return [inflateSync(file.subarray(start, source.indexOf('endstream', start))).toString('latin1')];
    } catch {
      return [];
    }
  });
  const painted = streams.map((stream) => [
    ...stream.matchAll(/([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re\n(?=[\d.]+ [\d.]+ [\d.]+ [\d.]+ re|f)/g),
  ]);
  const squares = painted
    .map((found) => found.map((match) => match.slice(1).map(Number) as [number, number, number, number]))
    .map((found) => found.filter(([, , , height]) => height > 1 && height < 4))
    .find((found) => found.length > 100);
  if (!squares) return undefined;
  const [left, top] = [Math.min(...squares.map(([x]) => x)), Math.min(...squares.map(([, y]) => y))];
  const module = squares[0]?.[3] ?? 1;
  const [dots, border] = [4, 16];
  const side = 400;
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255);
  for (const [x, y, width] of squares) {
    const [column, row] = [Math.round((x - left) / module), Math.round((y - top) / module)];
    for (let down = 0; down < dots; down += 1) {
      const start = ((border + row * dots + down) * side + border + column * dots) * 4;
      pixels.fill(0, start, start + Math.round(width / module) * dots * 4);
    }
  }
  return readQr.default(pixels, side, side)?.data;
}

async function receiptOf(transferId: string, language: Locale) {
  const { userId } = await fixture.see(transferId);
  const ask = { sender: { id: userId, ...sender }, transferId, language, publicUrl, company, contact, at: fixture.now };
  return issueReceipt(fixture.database.fork(), ask);
}

test('a receipt in both languages has what Regulation E requires, its QR leads to its check, and only its exact bytes are valid', async () => {
  const id = await fixture.create({ state: 'captured' });
  const [es, en] = [await receiptOf(id, 'es'), await receiptOf(id, 'en')];
  expect([es.name, en.name]).toEqual([`recibo-${referenceOf(id)}.pdf`, `receipt-${referenceOf(id)}.pdf`]);
  const spanish = await read(es.content);
  expect(spanish).toMatchObject({ pages: 1, title: `Recibo de envío ${referenceOf(id)}`, language: 'es-BO' });
  for (const said of [
    ...[/Zoë Núñez Žižková zoe@example\.com/, /Rosa Mamani CI 4567890 LP/, /Cuenta terminada en 5678/],
    ...[/Monto que se transfiere 96,50 EUR/, /Comisión de Chasqui 3,50 EUR/, /Total pagado 100,00 EUR/],
    ...[/1 EUR = 13,38 Bs/, /Total para el destinatario Bs 1\.291,17/, /Disponible en Bolivia hacia el/],
    ...[/30 minutos/, /180 días/, /CFPB/, /chasqui\.example\/ayuda, WhatsApp \+59171234567, correo ayuda@/],
  ])
    expect(spanish.text).toMatch(said);
  const english = await read(en.content);
  expect(english).toMatchObject({ pages: 1, title: `Transfer receipt ${referenceOf(id)}`, language: 'en-US' });
  for (const said of [
    ...[/Transfer Amount EUR 96\.50/, /Transfer Fees \(Chasqui\) EUR 3\.50/, /Transfer Taxes .* EUR 0\.00/],
    ...[/Total EUR 100\.00/, /Exchange Rate 1 EUR = 13\.38 BOB/, /Total to Recipient BOB 1,291\.17/],
    ...[
      /Date Available in Bolivia by about/,
      /right to dispute errors/,
      /cancel for a full refund/,
      /Protection Bureau/,
    ],
  ])
    expect(english.text).toMatch(said);

  // One paper in two languages, and the same bytes on every request.
  const address = readSeal(es.content) ?? '';
  expect(address).toMatch(/^https:\/\/chasqui\.example\/verificar\/[0-9A-HJKMNP-TV-Z]{20}$/);
  expect(readSeal(en.content)).toBe(address);
  expect((await receiptOf(id, 'es')).content.equals(es.content)).toBe(true);

  const code = address.slice(-20);
  expect(spanish.text).toContain(code.match(/.{4}/g)?.join('-'));
  const checked = await check({ code: code.toLowerCase().replace(/.{4}/g, '$& ') });
  expect(checked).toMatchObject({ code, now: null });
  expect(await check({ fileHash: sha256(en.content) })).toEqual(checked);
  const lines = Object.fromEntries(statedLines(checked.stated, 'es'));
  expect(lines).toMatchObject({
    Remitente: 'Z••• N••• Ž•••',
    Destinatario: 'R••• M•••',
    'Lo que pagas: Total pagado': '100,00 EUR',
  });
  expect(JSON.stringify(checked)).not.toMatch(/Mamani|4567890|71234567|zoe@|10000012345678/);

  const altered = Buffer.from(es.content);
  altered[altered.length >> 1] = (altered[altered.length >> 1] ?? 0) ^ 1;
  await expect(check({ fileHash: sha256(altered) })).rejects.toEqual(notFound);
  await expect(check({ code: '00000000000000000000' })).rejects.toEqual(notFound);
});

test('a receipt is superseded after the deposit and after a partial refund, which a new one shows', async () => {
  const id = await fixture.create({ state: 'captured' });
  const before = await receiptOf(id, 'es');
  await fixture.run(id, 'payout');
  await fixture.stripe.sdk.refunds.create({ payment_intent: await fixture.intentId(id), amount: 2500 });
  await syncPayment(fixture.context, id);
  const { stated, now } = await check({ fileHash: sha256(before.content) });
  const saidOf = (facts: typeof now) => facts && Object.fromEntries(statedLines(facts, 'en'));
  expect(saidOf(stated)).not.toHaveProperty('What went back: Refunded to you');
  expect(saidOf(now)).toMatchObject({
    'What went back: Refunded to you': 'EUR 25.00',
    'What went back: Paid in the end': 'EUR 75.00',
  });
  expect(saidOf(now)?.State).toMatch(/^Deposited in Bolivia on .* We returned EUR 25\.00 to your card\.$/);

  const after = await receiptOf(id, 'es');
  expect((await read(after.content)).text).toMatch(/Te devolvimos 25,00 EUR .* Pagado al final 75,00 EUR/);
  expect((await check({ fileHash: sha256(after.content) })).now).toBeNull();
});

test('a receipt and a statement show in both languages that a better rate than the accepted one applies', async () => {
  const { id: userId } = await createTestUser(fixture.database);
  const betterRate = 13_500_000n as Rate;
  const { id } = await transferIn(fixture.database, 'completed', { userId, betterRate });
  const ask = { sender: { id: userId, ...sender }, publicUrl, company, contact, at: fixture.now, transferId: id };
  const em = fixture.database.fork();
  const es = await read((await issueReceipt(em, { ...ask, language: 'es' })).content);
  expect(es.text).toMatch(
    /La tasa mejoró antes de aprobar el cobro: 1 EUR = 13,50 Bs en vez de 13,38 Bs\. Son Bs 11,58 más, sin costo\./,
  );
  expect(es.text).toMatch(/Tasa de cambio 1 EUR = 13,50 Bs Tasa que aceptaste 1 EUR = 13,38 Bs .* Bs 1\.302,75/);
  expect(es.text).toMatch(/las que aceptaste al pagar, salvo la tasa, que es mejor\./);
  const en = await read((await issueReceipt(em, { ...ask, language: 'en' })).content);
  expect(en.text).toMatch(
    /improved before the charge was approved: 1 EUR = 13\.50 BOB instead of 13\.38 BOB\. That is BOB 11\.58 more/,
  );
  expect(en.text).toMatch(/Exchange Rate you accepted 1 EUR = 13\.38 BOB .* Total to Recipient BOB 1,302\.75/);

  const period = { ...ask, period: '2026-11' };
  const statement = await read(await collect(renderStatement(em, { ...period, language: 'es' })));
  expect(statement.text).toMatch(/ 13,50 Bs\* Bs 1\.302,75 .* \* La tasa era mejor al aprobar el cobro/);
  const csv = (await collect(renderStatementCsv(em, { ...period, language: 'en' }))).toString().trimEnd().split('\n');
  expect(csv[0]).toMatch(/,Bank reference,Identifier,Accepted rate,Accepted in BOB$/);
  expect(csv[1]).toMatch(/,13\.50,1302\.75,1302\.75,0\.00,.*,13\.38,1291\.17$/);
});

test('the disclosure shown before paying is a paper with the stored text, in each language', async () => {
  const id = await fixture.create({ state: 'awaiting_payment' });
  const transfer = await fixture.see(id);
  await fixture.database.transaction(async (em) => storeDisclosure(em, transfer));
  const ask = { sender: { id: transfer.userId, ...sender }, transferId: id, publicUrl, company, at: fixture.now };
  const es = await issueDisclosure(fixture.database.fork(), { ...ask, language: 'es' });
  expect(await read(es.content)).toMatchObject({
    language: 'es-BO',
    text: expect.stringMatching(/Antes de pagar Monto que se transfiere 96,50 EUR .* Total que se recibe Bs 1\.291,17/),
  });
  expect((await read(es.content)).text).toContain(
    'Chasqui GmbH · Ring 1, 1010 Wien Licencia: AT-0000. Supervisa: FMA.',
  );
  const en = await issueDisclosure(fixture.database.fork(), { ...ask, company: demonstration, language: 'en' });
  expect((await read(en.content)).text).toMatch(
    /Before you pay Transfer Amount EUR 96\.50 .* Total to Recipient BOB 1,291\.17.*Demonstration mode: no card is charged here\. Behind this installation there is no company/,
  );
  expect(await check({ fileHash: sha256(en.content) })).toMatchObject({ stated: { kind: 'disclosure' }, now: null });
  const stranger = { ...ask.sender, id: (await createTestUser(fixture.database)).id };
  const request = issueDisclosure(fixture.database.fork(), { ...ask, sender: stranger, language: 'es' });
  await expect(request).rejects.toEqual(notFound);
});

test('a statement lists every paid transfer with totals of each currency, as PDF and as CSV, and is checked like a receipt', async () => {
  const { id: userId } = await createTestUser(fixture.database);
  const owner = { id: userId, ...sender };
  const transfers = [
    await transferIn(fixture.database, 'completed', { userId, recipient: null }),
    await transferIn(fixture.database, 'refunded', { userId, amountMinor: 20_000n }),
    await transferIn(fixture.database, 'rejected', { userId, amountMinor: 30_000n }),
    await transferIn(fixture.database, 'captured', { userId, currency: 'USD' }),
  ];
  // The state after a full refund, as the desk and Stripe's events write it.
  const [, refunded] = transfers;
  await fixture.database
    .fork()
    .execute('update transfer set returned_minor = amount_minor where id = ?', [refunded?.id]);
  await transferIn(fixture.database, 'awaiting_payment', { userId });
  expect(await listStatementPeriods(fixture.database.fork(), userId)).toEqual({
    periods: [
      { period: '2026', transfers: 4 },
      { period: '2026-11', transfers: 4 },
    ],
  });
  const make = (language: Locale, period: string) =>
    renderStatement(fixture.database.fork(), { sender: owner, period, language, publicUrl, company, at: fixture.now });
  const es = await collect(make('es', '2026-11'));
  const { text, title, language } = await read(es);
  expect({ title, language }).toEqual({ title: 'Extracto de envíos noviembre de 2026', language: 'es-BO' });
  for (const { id } of transfers) expect(text).toContain(referenceOf(id));
  expect(text).toMatch(
    /Total en EUR Envíos cobrados 2 Pagado con tarjeta 300,00 EUR De ello, .* Devuelto a ti 200,00 EUR Pagado al final 100,00 EUR Recibido en Bolivia Bs 1\.291,17/,
  );
  expect(text).toMatch(/Total en USD Envíos cobrados 1 Pagado con tarjeta \$ 100,00/);
  const en = await read(await collect(make('en', '2026')));
  expect(en.text).toMatch(/Transfer statement 2026 .* Not charged .* Refunded to you EUR 200\.00/);

  const address = readSeal(es) ?? '';
  expect(await check({ code: address.slice(-20) })).toMatchObject({ stated: { kind: 'statement' }, now: null });
  await transferIn(fixture.database, 'captured', { userId });
  const { now } = await check({ fileHash: sha256(es) });
  expect(now).toMatchObject({ statement: { transfers: 5, totals: [{ paid: '400.00' }, { paid: '100.00' }] } });

  const csv = (
    await collect(renderStatementCsv(fixture.database.fork(), { sender: owner, period: '2026', language: 'es' }))
  ).toString();
  const rows = csv.trimEnd().split('\n');
  expect(rows).toHaveLength(6);
  expect(rows[0]).toMatch(/^\ufeff"Fecha \(hora de Bolivia, UTC−4\)",Referencia,/);
  const completed = referenceOf(transfers[0]?.id ?? '');
  expect(rows.find((row) => row.includes(completed))).toMatch(
    new RegExp(
      `^2026-11-20 11:00,${completed},.*,Completado,EUR,100\\.00,3\\.50,96\\.50,13\\.38,1291\\.17,1291\\.17,0\\.00,`,
    ),
  );
});

test('a letter about a report is a paper in both languages, whose check shows none of its text', async () => {
  const id = await fixture.create({ state: 'captured' });
  await fixture.run(id, 'payout');
  const { userId } = await fixture.see(id);
  const description = 'Rosa fue al banco y faltaban 300 bolivianos.';
  const reported = { userId, transferId: id, reason: 'wrong_amount', wants: 'delivery', description } as const;
  const { letters } = await reportComplaint(fixture.database, { ...reported, at: fixture.now });
  const letterId = letters[0]?.id ?? '';
  const make = (language: Locale, readerId: string) =>
    issueLetter(fixture.database.fork(), { letterId, readerId, language, publicUrl, company, at: fixture.now });
  const es = await make('es', userId);
  expect(es.name).toBe(`carta-${referenceOf(id)}-received.pdf`);
  const spanish = await read(es.content);
  expect(spanish).toMatchObject({ pages: 1, language: 'es-BO', title: `Carta sobre un reporte ${referenceOf(id)}` });
  expect(spanish.text).toMatch(/Recibimos tu reporte: llegó otro monto .* Lo que escribiste Rosa fue al banco/);
  const en = await make('en', 'admin');
  expect((await read(en.content)).text).toMatch(
    /We received your report: another amount arrived .* What you wrote Rosa/,
  );
  expect((await make('en', userId)).content.equals(en.content)).toBe(true);
  const checked = await check({ fileHash: sha256(en.content) });
  expect(checked).toMatchObject({ stated: { kind: 'letter', number: referenceOf(id) }, now: null });
  expect(readSeal(es.content)).toContain(checked.code);
  expect(JSON.stringify(checked)).not.toMatch(/Rosa|bolivianos/);
  expect(Object.fromEntries(statedLines(checked.stated, 'es'))).toMatchObject({
    Asunto: 'Recibimos tu reporte: llegó otro monto',
  });
  const stranger = await createTestUser(fixture.database);
  await expect(make('es', stranger.id)).rejects.toEqual(notFound);
});
