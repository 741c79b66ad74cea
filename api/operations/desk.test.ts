import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hourMs } from '#core/time/time';
import type { User } from '#domain/accounts/account.entity';
import { DeskCase } from '#domain/desk/desk-case.entity';
import { openCase } from '#domain/desk/desk-case.repository';
import { readApiConfiguration } from '#platform/configuration/api';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { makeMove, testTarget, transferIn } from '../../testing/transfers.ts';
import { sampleRecipient } from '../testing/request-fixtures.ts';
import { expectFailure, TestApp } from '../testing/test-app.ts';
import type { TestBrowser } from '../testing/test-browser.ts';

let app: TestApp;
let ana: { browser: TestBrowser; user: User };
let luis: { browser: TestBrowser; user: User };
let sender: { browser: TestBrowser; user: User };
let transferId: string;
let caseId: string;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  app = await TestApp.open(
    readApiConfiguration({ ...testEnvironment, DATABASE_URL: url, DESK_TWO_PERSONS_USD: '100.00' }),
  );
  ana = await app.api.person('admin', 'Ana');
  luis = await app.api.person('admin', 'Luis');
  sender = await app.api.person('user', 'Carmen');
});

afterAll(() => app?.close());

/** A transfer of 50 EUR (55 USD) or more whose account the bank refused, and its case. */
async function createRejected(amountMinor: bigint): Promise<void> {
  const recipientId = (await sender.browser.send('POST', '/api/recipients', sampleRecipient)).body.id;
  const recipient = { id: recipientId, target: testTarget };
  const overrides = { userId: sender.user.id, amountMinor, recipient };
  ({ id: transferId } = await transferIn(app.api.database, 'captured', overrides));
  await makeMove(app.api.database, transferId, 'reject_payout');
  await app.api.database.transaction((em) => openCase(em, { transferId, reason: 'payout_rejected', at: new Date() }));
  caseId = (await app.api.database.fork().findOneOrFail(DeskCase, { transferId })).id;
}

beforeEach(() => createRejected(5_000n));

const act = (body: Record<string, unknown>, by = ana) =>
  by.browser.send('POST', `/api/admin/cases/${caseId}/actions`, { reason: 'El banco lo pagó en ventanilla', ...body });
const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(1_000_000, 'x')]);
const proof = { name: 'comprobante "1" — ñ.pdf', type: 'application/pdf', data: pdf.toString('base64') };
const byHand = { bank_reference: 'BNB-1', amount: '645.58', proof };
const ofRequest = (requestId: string, what: string, body: object = {}, by = ana) =>
  by.browser.send('POST', `/api/admin/desk-requests/${requestId}/${what}`, body);
/** Reserves the transfer to pay it by hand. Returns the id of the request. */
const reserve = async (by = ana): Promise<string> => {
  const { status, body } = await act({ action: 'pay_by_hand' }, by);
  expect([status, body.case.request]).toMatchObject([200, { reserved: true, requested_by_id: by.user.id }]);
  return body.case.request.id;
};

describe('the list of cases', () => {
  const read = (query: string) => ana.browser.send('GET', `/api/admin/cases?${query}`);

  it('the list of cases goes through open cases from the oldest, page by page and without repetition', async () => {
    await createRejected(6_000n);
    const seen: { id: string; opened_at: string }[] = [];
    let cursor: string | null = null;
    do {
      const { body } = await read(`limit=1${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`);
      seen.push(...body.items);
      cursor = body.nextCursor;
    } while (cursor);
    expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
    expect(seen.map((one) => one.opened_at)).toEqual(seen.map((one) => one.opened_at).sort());
    expect(seen.map(({ id }) => id)).toContain(caseId);
  });

  it('closed cases are listed with the last closed first, and no longer among the open ones', async () => {
    await act({ action: 'give_up_and_refund' });
    const [closed] = (await read('status=resolved&limit=1')).body.items;
    expect(closed).toMatchObject({ id: caseId, outcome: 'refunding', actions: [] });
    const open = (await read('limit=100')).body.items;
    expect(open.map(({ id }: { id: string }) => id)).not.toContain(caseId);
  });
});

describe('the filters of the list of cases', () => {
  const found = async (query: string, by = ana) =>
    (await by.browser.send('GET', `/api/admin/cases?limit=100${query}`)).body.items.map(({ id }: { id: string }) => id);

  it('the filters of the list find cases by reason, by age and by who has them, together', async () => {
    expect(await found('&reason=payout_rejected&assigned=nobody')).toContain(caseId);
    expect(await found('&reason=refund_failed')).not.toContain(caseId);
    expect(await found('&older_than_hours=1')).not.toContain(caseId);
    await app.api.database
      .fork()
      .nativeUpdate(DeskCase, { id: caseId }, { openedAt: new Date(Date.now() - 25 * hourMs) });
    expect(await found('&older_than_hours=24')).toEqual([caseId]);
    expect(await found('&older_than_hours=72')).toEqual([]);
    expect(await found('&assigned=me')).not.toContain(caseId);
    await ana.browser.send('POST', `/api/admin/cases/${caseId}/assign`, { mine: true });
    expect(await found('&assigned=me&older_than_hours=24&reason=payout_rejected')).toEqual([caseId]);
    expect(await found('&assigned=nobody')).not.toContain(caseId);
    expect(await found('&assigned=me', luis)).not.toContain(caseId);
    expectFailure(await ana.browser.send('GET', '/api/admin/cases?reason=boredom'), 400, 'invalid_input');
  });
});

describe('a payout by hand over the api', () => {
  it('a payout by hand takes a proof of a megabyte and gives it to admins as a download', async () => {
    const { status, body } = await ofRequest(await reserve(), 'report', byHand);
    expect([status, body.code]).toEqual([200, undefined]);
    expect(body.case.transaction).toMatchObject({ state: 'completed', payout_reference: 'BNB-1' });
    const path = `/api/admin/desk-requests/${body.case.decided[0].id}/proof`;
    const file = await ana.browser.send('GET', path);
    expect(file.status).toBe(200);
    expect(file.body).toBe(pdf.toString());
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': "attachment; filename*=UTF-8''comprobante%20%221%22%20%E2%80%94%20%C3%B1.pdf",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    expectFailure(await sender.browser.send('GET', path), 403, 'forbidden');
  });

  it.each([
    ['too large', Buffer.concat([Buffer.from('%PDF-'), Buffer.alloc(2 * 1024 * 1024)]), 'application/pdf'],
    ['a page that says it is a PDF', Buffer.from('<script>alert(1)</script>'), 'application/pdf'],
    ['a PDF that says it is a picture', pdf, 'image/png'],
    ['empty', Buffer.alloc(0), 'image/jpeg'],
  ])('a payout by hand refuses a proof that is %s', async (_, bytes, type) => {
    const wrong = { name: 'x', type, data: bytes.toString('base64') };
    const answer = await ofRequest(await reserve(), 'report', { ...byHand, proof: wrong });
    expectFailure(answer, 400, 'invalid_input');
    expect(Object.keys(answer.body.fields)).toEqual(['proof']);
  });

  it('a payout by hand asks for proof, number and the exact amount', async () => {
    const requestId = await reserve();
    for (const field of ['proof', 'bank_reference', 'amount']) {
      const answer = await ofRequest(requestId, 'report', { ...byHand, [field]: undefined });
      expectFailure(answer, 400, 'invalid_input');
      expect(Object.keys(answer.body.fields)).toEqual([field]);
    }
    expectFailure(await ofRequest(requestId, 'report', { ...byHand, amount: '645.57' }), 422, 'amount_differs');
  });

  it('the sender of a reserved transfer can neither cancel it nor change the account, and gets the reason', async () => {
    const requestId = await reserve();
    const cancelled = await sender.browser.send('POST', `/api/transactions/${transferId}/cancel`);
    expectFailure(cancelled, 409, 'settlement_in_progress');
    expect(cancelled.body.transaction).toMatchObject({ cancellable: false, correctAccountBy: null });
    const { body: mine } = await sender.browser.send('GET', '/api/recipients');
    const corrected = await sender.browser.send('POST', `/api/transactions/${transferId}/account`, {
      recipientId: mine.items[0].id,
    });
    expectFailure(corrected, 409, 'settlement_in_progress');
    expect((await ofRequest(requestId, 'drop')).body.case).toMatchObject({ outcome: 'settlement_dropped' });
    expect((await sender.browser.send('POST', `/api/transactions/${transferId}/cancel`)).status).toBe(200);
  });

  it('a large payout by hand is refuted with a proof by two admins, or confirmed by the second', async () => {
    await createRejected(10_000n);
    const requestId = await reserve();
    expectFailure(await ofRequest(requestId, 'drop', {}, luis), 403, 'forbidden');
    const reported = await ofRequest(requestId, 'report', { ...byHand, amount: '1291.17' });
    expect(reported.body.case.request).toMatchObject({ reserved: false, has_proof: true, outcome: null });
    expectFailure(await ofRequest(requestId, 'decide', { approve: false }, luis), 422, 'proof_missing');
    const without = await ofRequest(requestId, 'refute', { reason: 'No salió' }, luis);
    expectFailure(without, 400, 'invalid_input');
    const refuted = await ofRequest(requestId, 'refute', { reason: 'No salió', proof }, luis);
    const { refutation } = refuted.body.case;
    expect(refutation).toMatchObject({ action: 'refute', requested_by: 'Luis', has_proof: true });
    expectFailure(await ofRequest(requestId, 'decide', { approve: true }, luis), 409, 'request_pending');
    const declined = await ofRequest(refutation.id, 'decide', { approve: false });
    expect(declined.body.case).toMatchObject({ refutation: null, request: { id: requestId } });
    const confirmed = await ofRequest(requestId, 'decide', { approve: true }, luis);
    expect(confirmed.body.case.transaction).toMatchObject({ state: 'completed', payout_reference: 'BNB-1' });
  });
});

describe('an action above the configured amount', () => {
  it('an action above the configured amount waits for a second admin, who is not its requester', async () => {
    await createRejected(10_000n);
    const requested = (await act({ action: 'give_up_and_refund' })).body.case;
    expect(requested.transaction.state).toBe('payout_failed');
    expect(requested.request).toMatchObject({ requested_by: 'Ana', requested_by_id: ana.user.id });
    const second = await act({ action: 'give_up_and_refund' }, luis);
    expectFailure(second, 409, 'request_pending');
    expect(second.body.case).toMatchObject({ id: caseId, request: { amount: '100.00', currency: 'EUR' } });
    const decide = (by: typeof ana) =>
      by.browser.send('POST', `/api/admin/desk-requests/${requested.request.id}/decide`, { approve: true });
    expectFailure(await decide(ana), 403, 'own_request');
    expect((await decide(luis)).body.case.transaction.state).toBe('refunding');
    const again = await decide(luis);
    expectFailure(again, 409, 'already_decided');
    expect(again.body.message).toBe('Esta solicitud ya fue decidida.');
  });
});

describe('an admin whose own transfer it is', () => {
  it('an admin whose own transfer a case is about sees it without actions and may not act', async () => {
    const own = await transferIn(app.api.database, 'payout_failed', { userId: ana.user.id });
    await app.api.database.transaction((em) =>
      openCase(em, { transferId: own.id, reason: 'payout_rejected', at: new Date() }),
    );
    caseId = (await app.api.database.fork().findOneOrFail(DeskCase, { transferId: own.id })).id;
    const view = (by: typeof ana) => by.browser.send('GET', `/api/admin/cases/${caseId}`);
    expect((await view(ana)).body.case.actions).toEqual([]);
    expect((await view(luis)).body.case.actions).toEqual(['give_up_and_refund']);
    expectFailure(await act({ action: 'give_up_and_refund' }), 403, 'own_transfer');
  });
});

describe('a sender whose account the bank refused', () => {
  it('a sender whose account the bank refused names another; the case closes and the transfer is paid again', async () => {
    const other = { ...sampleRecipient, name: 'Javier Rojas', bankAccount: '10000087654321', saveAnyway: true };
    const recipientId = (await sender.browser.send('POST', '/api/recipients', other)).body.id;
    const correct = () => sender.browser.send('POST', `/api/transactions/${transferId}/account`, { recipientId });
    const { status, body } = await correct();
    expect(status).toBe(200);
    expect(body.transaction).toMatchObject({ recipient: 'Javier Rojas', state: 'captured', cancellable: false });
    const { body: seen } = await ana.browser.send('GET', `/api/admin/cases/${caseId}`);
    expect(seen.case.outcome).toBe('account_corrected');
    // Whom no admin has approved.
    const { body: changed } = await ana.browser.send('GET', '/api/admin/cases?reason=recipient_changed&limit=100');
    const held = changed.items.find((one: { transaction: { id: string } }) => one.transaction.id === transferId);
    expect(held).toMatchObject({ actions: ['give_up_and_refund', 'release_hold'] });
    expectFailure(await correct(), 409, 'account_not_correctable');
  });
});

it('the api never failed unexpectedly and logged nothing personal', () => app.expectQuietLog());

describe('the files of a report over the api', () => {
  const file = { ...proof, name: 'extracto — ñ.pdf' };

  it('are taken by their content, and given to who uploaded them and to admins, always as a download', async () => {
    const report = { reason: 'not_received', wants: 'refund', description: 'El dinero no llegó todavía.' };
    const { body: complaint } = await sender.browser.send('POST', `/api/transactions/${transferId}/complaints`, report);
    const upload = (body: object) => sender.browser.send('POST', `/api/complaints/${complaint.id}/files`, body);
    const page = Buffer.from('<script>alert(1)</script>').toString('base64');
    for (const [changes, code] of [
      [{ data: page }, 'proof_unreadable'],
      [{ type: 'image/png' }, 'proof_unreadable'],
      [{ data: Buffer.concat([pdf, pdf, pdf]).toString('base64').slice(0, 2_799_996) }, 'proof_too_large'],
    ] as const) {
      const refused = await upload({ ...file, ...changes });
      expectFailure(refused, 400, 'invalid_input');
      expect(refused.body.problems).toEqual({ data: { code } });
    }
    const { status, body } = await upload(file);
    expect(status).toBe(201);
    expect(body.files).toMatchObject([{ name: file.name, type: 'application/pdf', size: pdf.length }]);
    const { id } = body.files[0];
    for (const [browser, path] of [
      [sender.browser, `/api/files/${id}`],
      [ana.browser, `/api/admin/files/${id}`],
    ] as const) {
      const given = await browser.send('GET', path);
      expect(given.status).toBe(200);
      expect(given.body).toBe(pdf.toString());
      expect(Object.fromEntries(given.headers)).toMatchObject({
        'content-type': 'application/pdf',
        'content-disposition': "attachment; filename*=UTF-8''extracto%20%E2%80%94%20%C3%B1.pdf",
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      });
    }
    const other = await app.api.person('user', 'Otra');
    expectFailure(await other.browser.send('GET', `/api/files/${id}`), 404, 'not_found');
    expectFailure(await other.browser.send('POST', `/api/complaints/${complaint.id}/files`, file), 404, 'not_found');
    expectFailure(await sender.browser.send('GET', `/api/admin/files/${id}`), 403, 'forbidden');
    const [letter] = complaint.letters;
    const paper = await sender.browser.send('GET', `/api/complaints/letters/${letter.id}/pdf?language=en`);
    expect([paper.status, paper.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expectFailure(await other.browser.send('GET', `/api/complaints/letters/${letter.id}/pdf`), 404, 'not_found');
    expect((await luis.browser.send('GET', `/api/admin/complaints/letters/${letter.id}/pdf`)).status).toBe(200);
  });
});
