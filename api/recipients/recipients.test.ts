import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RecipientView } from '#core/contracts/http/recipients';
import { readApiConfiguration } from '#platform/configuration/api';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { makeMove, testTarget, transferIn } from '../../testing/transfers.ts';
import { sampleRecipient } from '../testing/request-fixtures.ts';
import { TestApi } from '../testing/test-api.ts';
import { expectFailure } from '../testing/test-app.ts';
import type { TestBrowser } from '../testing/test-browser.ts';

let testDatabase: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  api = await TestApi.start(readApiConfiguration({ ...testEnvironment, DATABASE_URL: testDatabase.url }));
});
afterAll(async () => {
  await api.close();
  await testDatabase.drop();
});

test('a recipient that is saved several times at once, as by a double click, is one recipient', async () => {
  const { browser } = await api.person();
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => browser.send('POST', '/api/recipients', sampleRecipient)),
  );
  const ids = new Set(answers.map(({ body }) => (body as RecipientView).id));
  expect(answers.every(({ status }) => status < 300)).toBe(true);
  expect(ids.size).toBe(1);
  const { body } = await browser.send('GET', '/api/recipients');
  expect((body as { items: unknown[] }).items).toHaveLength(1);
});

test('recipients that differ in one detail are two recipients, and a removed one can be added again', async () => {
  const { browser } = await api.person();
  const first = (await browser.send('POST', '/api/recipients', sampleRecipient)).body as RecipientView;
  const other = { ...sampleRecipient, bankAccount: '99000012345678', saveAnyway: true };
  const second = (await browser.send('POST', '/api/recipients', other)).body as RecipientView;
  expect(second.id).not.toBe(first.id);
  await browser.send('DELETE', `/api/recipients/${first.id}`);
  const again = (await browser.send('POST', '/api/recipients', sampleRecipient)).body as RecipientView;
  expect(again.id).not.toBe(first.id);
});

test('a sender keeps 200 recipients at most, and a removed one makes room for another', async () => {
  const { browser, user } = await api.person();
  const first = await browser.send('POST', '/api/recipients', sampleRecipient);
  await api.database.fork().execute(
    `insert into recipient (id, user_id, name, email, phone, ci, bank_name, bank_account, address, city, relationship,
       created_at) select gen_random_uuid(), ?, 'Rosa', '', '', '', '', '', '', '', '', now() from generate_series(1, 199)`,
    [user.id],
  );
  const another = { ...sampleRecipient, bankAccount: '99000012345678', saveAnyway: true };
  expectFailure(await browser.send('POST', '/api/recipients', another), 422, 'too_many_recipients');
  expect((await browser.send('DELETE', `/api/recipients/${first.body.id}`)).status).toBe(204);
  expect((await browser.send('POST', '/api/recipients', another)).status).toBe(201);
});

describe('a recipient like one that is there already', () => {
  const save = (browser: TestBrowser, changes: object) =>
    browser.send('POST', '/api/recipients', { ...sampleRecipient, ...changes });

  test('a recipient with another’s account or CI needs confirmation, and is saved anyway when the sender insists', async () => {
    const { browser } = await api.person();
    const { id } = (await save(browser, {})).body as RecipientView;
    const sameAccount = { name: 'Pedro Quispe', ci: '9876543', bankAccount: '1000 0012-345678' };
    const conflict = await save(browser, sameAccount);
    expectFailure(conflict, 409, 'recipient_exists');
    expect(conflict.body).toMatchObject({ recipientId: id, name: sampleRecipient.name, sameBy: 'account' });
    const sameCi = { ci: `${sampleRecipient.ci} LP`, bankAccount: '99000012345678' };
    expect((await save(browser, sameCi)).body).toMatchObject({ recipientId: id, sameBy: 'ci' });
    const other = await save(browser, { ...sameAccount, saveAnyway: true });
    expect(other.status).toBe(201);
    expect(other.body).not.toHaveProperty('saveAnyway');
    const twice = await save(browser, { ...sameAccount, saveAnyway: true });
    expect(twice.body.id).toBe(other.body.id);
    await browser.send('DELETE', `/api/recipients/${id}`);
    await browser.send('DELETE', `/api/recipients/${other.body.id}`);
    expect((await save(browser, sameCi)).status).toBe(201);
  });

  test('returns 404 for another sender’s recipient', async () => {
    await save((await api.person()).browser, {});
    const { browser } = await api.person();
    expect((await save(browser, { name: 'Pedro Quispe' })).status).toBe(201);
  });

  test('a change needs confirmation only if it makes two recipients alike', async () => {
    const { browser } = await api.person();
    const rosa = (await save(browser, {})).body as RecipientView;
    const pedro = (await save(browser, { name: 'Pedro', bankAccount: '99000012345678', saveAnyway: true })).body;
    const change = (changes: object) =>
      browser.send('PUT', `/api/recipients/${pedro.id}`, { ...sampleRecipient, name: 'Pedro', ...changes });
    expect((await change({ bankAccount: '99000012345678', phone: '71111111' })).status).toBe(200);
    const conflict = await change({});
    expectFailure(conflict, 409, 'recipient_exists');
    expect(conflict.body).toMatchObject({ recipientId: rosa.id, sameBy: 'account' });
    expect((await change({ saveAnyway: true })).status).toBe(200);
  });
});

test('a recipient whose account was changed after the last transfer to it says when, until one goes to the new account', async () => {
  const { browser, user } = await api.person();
  const { id } = (await browser.send('POST', '/api/recipients', sampleRecipient)).body as RecipientView;
  const pay = async (bankAccount: string, paidAt: Date) => {
    const recipient = { id, target: { ...testTarget, bankName: sampleRecipient.bankName, bankAccount } };
    const transfer = await transferIn(api.database, 'awaiting_payment', { userId: user.id, recipient });
    await makeMove(api.database, transfer.id, 'hold', { paidAt });
  };
  const see = async () => {
    const { body } = await browser.send('GET', '/api/recipients');
    return (body as { items: RecipientView[] }).items[0];
  };
  const change = (changes: object) => browser.send('PUT', `/api/recipients/${id}`, { ...sampleRecipient, ...changes });
  expect((await change({ bankAccount: '99000012345678' })).body).toMatchObject({
    lastSentAt: null,
    accountChangedAt: null,
  });
  await pay('99-000012345678', new Date('2026-11-20T15:00:00.000Z'));
  expect(await see()).toMatchObject({ lastSentAt: '2026-11-20T15:00:00.000Z', accountChangedAt: null });
  await change({ bankAccount: '99000012345678', phone: '71111111' });
  expect((await see())?.accountChangedAt).toBeNull();
  const changed = (await change({ bankAccount: '55000012345678' })).body as RecipientView;
  expect(Date.now() - Date.parse(changed.accountChangedAt ?? '')).toBeLessThan(60_000);
  expect(await see()).toEqual(changed);
  await pay('55000012345678', new Date('2026-11-20T16:00:00.000Z'));
  expect((await see())?.accountChangedAt).toBeNull();
});

describe('the name of an account', () => {
  const save = async (browser: TestBrowser) =>
    (await browser.send('POST', '/api/recipients', sampleRecipient)).body as RecipientView;
  const answer = (id: string, status: string) =>
    api.database
      .fork()
      .execute(
        `update name_check set status = ?, bank_says = 'J*** R***', next_attempt_at = null, answered_at = now() where recipient_id = ?`,
        [status, id],
      );

  test('an account in another name is paid to only once its sender confirms the name as they saw it', async () => {
    const { browser } = await api.person();
    const { id, version, nameCheck } = await save(browser);
    expect(nameCheck).toEqual({ status: 'pending', bankSays: null, confirmed: false });
    await answer(id, 'different');
    const pay = () =>
      browser.send('POST', '/api/create-payment-intent', { amount: '20', currency: 'eur', recipientId: id });
    const refused = await pay();
    expectFailure(refused, 409, 'name_not_confirmed');
    expect(refused.body).toMatchObject({ name: sampleRecipient.name, bankSays: 'J*** R***' });
    const confirm = (seen: number) => browser.send('PUT', `/api/recipients/${id}/name-check`, { version: seen });
    expect((await confirm(version + 1)).body.nameCheck).toMatchObject({ confirmed: false });
    const { body } = await confirm(version);
    expect(body).toMatchObject({ version: version + 1, nameCheck: { status: 'different', confirmed: true } });
    expect((await pay()).body.code).not.toBe('name_not_confirmed');
    const changed = await browser.send('PUT', `/api/recipients/${id}`, { ...sampleRecipient, name: 'Javier Rojas' });
    expect(changed.body.nameCheck).toEqual({ status: 'pending', bankSays: null, confirmed: false });
  });

  test('queries the bank again only if it gave no answer', async () => {
    const { browser } = await api.person();
    const { id } = await save(browser);
    const ask = async () => (await browser.send('POST', `/api/recipients/${id}/name-check`)).body.nameCheck.status;
    await answer(id, 'match');
    expect(await ask()).toBe('match');
    await answer(id, 'unavailable');
    expect(await ask()).toBe('pending');
  });

  test('withdraws the name check of a removed recipient', async () => {
    const { browser } = await api.person();
    const { id } = await save(browser);
    expect((await browser.send('DELETE', `/api/recipients/${id}`)).status).toBe(204);
    const checks = await api.database.fork().execute('select status from name_check where recipient_id = ?', [id]);
    expect(checks).toEqual([{ status: 'withdrawn' }]);
  });

  test('the name of another sender’s recipient cannot be checked or confirmed', async () => {
    const { id } = await save((await api.person()).browser);
    const { browser } = await api.person();
    const path = `/api/recipients/${id}/name-check`;
    expectFailure(await browser.send('POST', path), 404, 'not_found');
    expectFailure(await browser.send('PUT', path, { version: 1 }), 404, 'not_found');
  });
});
