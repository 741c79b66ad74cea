import { randomInt, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { User } from '#domain/accounts/account.entity';
import { Attachment } from '#domain/attachments/attachment.entity';
import { Email } from '#domain/emails/email.entity';
import { releaseDocuments } from '#domain/identity/identity.repository';
import { IdentityCheck } from '#domain/identity/identity-check.entity';
import { eraseClosedAccounts } from '#domain/own-account/closing.repository';
import { readApiConfiguration } from '#platform/configuration/api';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { FakeStripe } from '../testing/fake-stripe.ts';
import { TestApi, testPassword, unlimited } from '../testing/test-api.ts';
import { expectFailure } from '../testing/test-app.ts';
import type { TestBrowser } from '../testing/test-browser.ts';

let api: TestApi;
let stripe: FakeStripe;
let reviewer: { browser: TestBrowser; user: User };

beforeAll(async () => {
  const { url } = await createTestDatabase();
  stripe = await FakeStripe.start();
  const limits = { LIMIT_EMAIL_USD: '500/500/900', LIMIT_IDENTITY_USD: '900/900/900', STRIPE_API_URL: stripe.url };
  const env = readApiConfiguration({ ...testEnvironment, ...limits, DATABASE_URL: url });
  api = await TestApi.start(env, { rateLimitPoints: unlimited });
  reviewer = await api.person('admin', 'Ana Quispe', 'reviewer');
  await api.setRates(reviewer.user, 11_550_000n);
});
afterAll(async () => {
  await api?.close();
  await stripe?.close();
});

/** A new number that the sandbox answers by its last four digits. */
const numberEnding = (end = '9999') => `AB${randomInt(10_000_000, 99_999_999)}${end}`;
const details = { documentType: 'passport', country: 'bo', legalName: 'Carmen Rojas', birthDate: '1990-05-17' };
const identify = (by: TestBrowser, number = numberEnding(), changed = {}) =>
  by.send('POST', '/api/account/identity', { ...details, number, ...changed });
const picture = (text = 'uno') => ({
  ...{ name: 'pasaporte.pdf', type: 'application/pdf' },
  data: Buffer.from(`%PDF-${text}`).toString('base64'),
});
const show = (by: TestBrowser, body: object = { front: picture() }) =>
  by.send('POST', '/api/account/identity/document', body);
const pay = (by: TestBrowser, amount: string) =>
  by.send('POST', '/api/create-payment-intent', { amount, currency: 'usd' });
const decide = (id: string, reason: string | null, by = reviewer.browser) =>
  by.send('POST', `/api/admin/identity-checks/${id}/decide`, { reason, note: 'Comparado con la foto' });
const checkOf = ({ id }: User, level: 'identity' | 'document' = 'identity') =>
  api.database.fork().findOneOrFail(IdentityCheck, { userId: id, level });
const emailsOf = async ({ id }: User) =>
  (
    await api.database.fork().find(Email, { userId: id, kind: 'identity_checked' }, { orderBy: { createdAt: 'asc' } })
  ).map(({ data }) => data);

describe('tiers of identity', () => {
  it('let a person send more with each step, and a refusal names the next one', async () => {
    const { browser, user } = await api.person();
    const refused = await pay(browser, '501.00');
    expectFailure(refused, 422, 'amount_too_large');
    expect(refused.body).toMatchObject({
      maximumUsd: '500.00',
      next: { tier: 'identity', limitUsd: '900.00', limit: '900.00' },
    });
    expect((await browser.send('GET', '/api/dashboard')).body).toMatchObject({
      ...{ tier: 'email', dayLeft: '500.00', balance: '900.00' },
      tiers: [{ payment: '500.00' }, { payment: '900.00' }, { tier: 'document', payment: '3000.00' }],
    });
    expectFailure(await show(browser), 409, 'identity_missing');
    const known = await identify(browser);
    expect(known).toMatchObject({
      status: 201,
      body: { tier: 'identity', identity: { state: 'accepted', country: 'BO', number: '•••99' }, document: null },
    });
    expect((await pay(browser, '501.00')).status).toBe(201);
    expect((await pay(browser, '901.00')).body).toMatchObject({ maximumUsd: '900.00', next: { tier: 'document' } });
    expect((await show(browser, { front: picture(), back: picture('dos') })).body).toMatchObject({
      tier: 'document',
      document: { state: 'accepted' },
      tiers: [{ payment: '500.00' }, { payment: '900.00' }, { tier: 'document', payment: '3000.00', day: '5000.00' }],
    });
    expect((await pay(browser, '3000.00')).status).toBe(201);
    expect((await pay(browser, '3001.00')).body).toMatchObject({ maximumUsd: '3000.00', next: null });
    expect(await emailsOf(user)).toEqual([
      { level: 'identity', reason: null },
      { level: 'document', reason: null },
    ]);
    expectFailure(await identify(browser), 409, 'identity_settled');
    expectFailure(await show(browser), 409, 'identity_settled');
  });

  it('belong to one person per document, until 30 days after its account was closed', async () => {
    const number = numberEnding();
    const [one, other] = [await api.person(), await api.person()];
    const answers = await Promise.all([identify(one.browser, number), identify(other.browser, number)]);
    expect(answers.map(({ body }) => body.identity.state).sort()).toEqual(['accepted', 'declined']);
    const [holder, refused] = answers[0]?.body.identity.state === 'accepted' ? [one, other] : [other, one];
    const spaced = `${number.slice(0, 4)} ${number.slice(4).toLowerCase()}`;
    const again = await identify(refused.browser, spaced);
    expect(again.body).toMatchObject({ tier: 'email', identity: { state: 'declined', reason: 'in_use' } });
    expect(await emailsOf(refused.user)).toEqual([0, 1].map(() => ({ level: 'identity', reason: 'in_use' })));
    const { user: seen } = (await reviewer.browser.send('GET', `/api/admin/users/${refused.user.id}`)).body;
    const holders = [{ userId: holder.user.id, name: holder.user.name, accepted: true }];
    expect(seen.identityChecks[0]).toMatchObject({ reason: 'in_use', by: null, sameDocument: holders });
    expect((await identify(refused.browser, number, { country: 'ES' })).body.tier).toBe('identity');
    await holder.browser.send('POST', '/api/account/close', { password: testPassword });
    const third = await api.person();
    const now = Date.now();
    await releaseDocuments(api.database.fork(), new Date(now - 60_000));
    expect((await identify(third.browser, number)).body.identity.reason).toBe('in_use');
    await releaseDocuments(api.database.fork(), new Date(now + 60_000));
    expect((await identify(third.browser, number)).body.tier).toBe('identity');
  });

  it('are given by a reviewer to the first of two with one document, who sees the other, and not to the second', async () => {
    const number = numberEnding('1111');
    const [one, other] = [await api.person(), await api.person()];
    for (const { browser } of [one, other]) await identify(browser, number);
    const { user } = (await reviewer.browser.send('GET', `/api/admin/users/${other.user.id}`)).body;
    expect(user.identityChecks[0].sameDocument).toMatchObject([{ userId: one.user.id, accepted: false }]);
    const alone = await api.person();
    await identify(alone.browser, numberEnding('1111'));
    const listed = async (): Promise<[string, boolean][]> =>
      (await reviewer.browser.send('GET', '/api/admin/identity-checks')).body.items.map(
        (row: { userId: string; sameDocument: boolean }) => [row.userId, row.sameDocument],
      );
    const waiting = [one.user.id, other.user.id, alone.user.id];
    expect((await listed()).filter(([id]) => waiting.includes(id))).toEqual(waiting.map((id, at) => [id, at < 2]));
    await decide((await checkOf(alone.user)).id, null);
    expect((await decide((await checkOf(one.user)).id, null)).status).toBe(200);
    const second = (await checkOf(other.user)).id;
    expectFailure(await decide(second, null), 409, 'document_in_use');
    expect(await checkOf(other.user)).toMatchObject({ state: 'waiting' });
    expect((await decide(second, 'in_use')).body.user.identityChecks[0]).toMatchObject({ reason: 'in_use' });
  });

  it('rejects applicants under 18 and documents that are neither an image nor a PDF', async () => {
    const { browser, user } = await api.person();
    expectFailure(await identify(browser, numberEnding(), { birthDate: '2015-01-01' }), 422, 'under_age');
    await identify(browser);
    const html = { ...picture(), data: Buffer.from('<html>').toString('base64') };
    expect((await show(browser, { front: picture(), back: html })).body.problems).toEqual({
      'back.data': { code: 'proof_unreadable' },
    });
    expect(await api.database.fork().count(Attachment, { uploadedById: user.id })).toBe(0);
  });
});

describe('checks that the verifier does not accept', () => {
  it('are declined with a reason, change nothing else, and can be made again', async () => {
    const { browser, user } = await api.person();
    const declined = await identify(browser, numberEnding('0000'));
    expect(declined.body).toMatchObject({ tier: 'email', identity: { state: 'declined', reason: 'mismatch' } });
    expect(await emailsOf(user)).toEqual([{ level: 'identity', reason: 'mismatch' }]);
    expect((await identify(browser, numberEnding('2222'))).body.tier).toBe('identity');
    expect((await show(browser)).body).toMatchObject({ tier: 'identity', document: { reason: 'unreadable' } });
  });

  it('wait for a reviewer where it does not know, or the account has said another date of birth', async () => {
    const { browser, user } = await api.person();
    await identify(browser, numberEnding('1111'));
    const other = await api.person();
    await identify(other.browser, numberEnding(), { birthDate: '1991-05-17' });
    expect(await checkOf(other.user)).toMatchObject({ state: 'waiting' });
    const { id } = await checkOf(user);
    const { body } = await reviewer.browser.send('GET', '/api/admin/identity-checks?limit=1');
    expect(body).toMatchObject({
      items: [{ id, userId: user.id, name: 'Carmen Rojas' }],
      nextCursor: expect.any(String),
    });
    const next = await reviewer.browser.send('GET', `/api/admin/identity-checks?limit=1&cursor=${body.nextCursor}`);
    expect(next.body).toMatchObject({ items: [{ userId: other.user.id }], nextCursor: null });
    for (const check of [id, (await checkOf(other.user)).id]) expect((await decide(check, null)).status).toBe(200);
    expect((await browser.send('GET', '/api/account/identity')).body.tier).toBe('identity');
    expect((await api.database.fork().findOneOrFail(User, { id: other.user.id })).birthDate).toBe('1991-05-17');
  });

  it('are decided once, with a reason, by a reviewer who sees the pictures, never about themselves', async () => {
    const { browser, user } = await api.person();
    const number = numberEnding('3333');
    await identify(browser, number);
    await show(browser);
    const { id } = await checkOf(user, 'document');
    const support = await api.person('admin', 'Luis Rojas', 'support');
    expectFailure(await decide(id, null, support.browser), 403, 'forbidden');
    const path = `/api/admin/users/${user.id}`;
    const [waiting] = (await reviewer.browser.send('GET', path)).body.user.identityChecks;
    expect(waiting).toMatchObject({ state: 'waiting', files: [{ name: 'pasaporte.pdf' }], by: null });
    expect((await reviewer.browser.send('GET', `/api/admin/files/${waiting.files[0].id}`)).status).toBe(200);
    const revealed = await reviewer.browser.send('POST', `/api/admin/identity-checks/${id}/reveal`, {
      reason: 'identity',
    });
    expect(revealed.body).toEqual({ value: number });
    const both = await Promise.all([decide(id, 'expired'), decide(id, null)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const { identityChecks, tier } = (await reviewer.browser.send('GET', path)).body.user;
    expect(identityChecks[0]).toMatchObject({ note: 'Comparado con la foto', by: 'Ana Quispe' });
    expect(tier).toBe(identityChecks[0].state === 'accepted' ? 'document' : 'identity');
    await identify(reviewer.browser, numberEnding('1111'));
    expectFailure(await decide((await checkOf(reviewer.user)).id, null), 403, 'forbidden');
    expectFailure(await decide(randomUUID(), null), 404, 'not_found');
  });
});

it('submissions are in the person’s export with the document number, and are erased with the person', async () => {
  const { browser, user } = await api.person();
  const number = numberEnding();
  await identify(browser, number);
  await show(browser);
  const { body } = await browser.send('GET', '/api/account/data');
  expect(body.identity_checks).toMatchObject([
    { level: 'identity', number },
    { level: 'document', number },
  ]);
  expect(JSON.stringify(body.identity_checks)).not.toContain('sealed');
  expect(body.files).toMatchObject([{ identity_check_id: expect.any(String) }]);
  expect(api.logged.join()).not.toContain(number);
  await expect(api.database.fork().nativeDelete(IdentityCheck, { userId: user.id })).rejects.toThrow('is kept');
  await browser.send('POST', '/api/account/close', { password: testPassword });
  const later = new Date(Date.now() + 60_000);
  await api.database.transaction((em) => eraseClosedAccounts(em, { never: later, paid: later }));
  expect(await api.database.fork().count(IdentityCheck, { userId: user.id })).toBe(0);
  expect(await api.database.fork().count(Attachment, { uploadedById: user.id })).toBe(0);
});
