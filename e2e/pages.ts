import { randomUUID } from 'node:crypto';
import type { FrameLocator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import type { SendCurrency } from '#core/money/money';
import { emailedCode, type Product, sampleRecipient } from './api-client.ts';
import { recordCalls } from './conformance/calls.ts';
import { adminAccount } from './test-app.ts';

/** Of every sender that is signed up here. */
export const password = 'una-clave-larga';

/** Signs up through the form and arrives at the dashboard; returns the unique e-mail address. */
export async function signUpInBrowser(page: Page, url: string): Promise<string> {
  await page.goto(`${url}/login?signup=true`);
  const email = await fillSignUp(page);
  await page.waitForURL(`${url}/dashboard`);
  return email;
}

/** Fills in and submits the sign-up form that the page shows; returns the unique e-mail address. */
export async function fillSignUp(page: Page): Promise<string> {
  const email = `carmen-${randomUUID()}@example.com`;
  recordCalls(page);
  await page.getByTestId('signup-name').fill('Carmen Rojas');
  await page.getByTestId('signup-email').fill(email);
  await page.getByTestId('signup-password').fill(password);
  await page.getByTestId('signup-confirm').fill(password);
  await page.getByTestId('signup-terms').check();
  await page.getByTestId('signup-submit').click();
  return email;
}

/**
 * Starts a page with the session that a call opens, as if this browser had signed in before; signing out later works. For
 * tests that are not about the forms, which cost three page loads.
 */
export async function beginSession(page: Page, url: string, endpoint: { path: string }, data: object): Promise<void> {
  const answer = await page.request.post(`${url}${endpoint.path}`, { data });
  expect(answer.ok(), `${endpoint.path} ${await answer.text()}`).toBe(true);
  const { token } = await answer.json();
  await page.addInitScript((id) => {
    if (sessionStorage.getItem('begun')) return;
    sessionStorage.setItem('begun', 'true');
    localStorage.setItem('auth_token', id);
  }, token);
}

/** Signs a new sender up without opening a page, and proves the address unless `unproven`; returns that unique e-mail address. */
export async function beginAsSender(page: Page, app: Product, { unproven = false } = {}): Promise<string> {
  const email = `carmen-${randomUUID()}@example.com`;
  recordCalls(page);
  const url = app.url();
  await beginSession(page, url, endpoints.register, { name: 'Carmen Rojas', email, password, acceptedTerms: true });
  if (unproven) return email;
  const data = { code: await emailedCode(app, email) };
  const answer = await page.request.post(`${url}${endpoints.proveEmail.path}`, { data });
  expect(answer.ok(), await answer.text()).toBe(true);
  return email;
}

/** Types the code of the e-mail where a first payment asks for it. */
export async function typeEmailedCode(page: Page, app: Product, email: string): Promise<void> {
  const field = page.getByTestId('email-code');
  await field.waitFor();
  await field.fill(await emailedCode(app, email));
  await field.waitFor({ state: 'hidden' });
}

/** As `beginAsSender`, with a recipient that no form was filled in for, and opens the panel. */
export async function enterWithRecipient(page: Page, app: Product): Promise<string> {
  const email = await beginAsSender(page, app);
  const answer = await page.request.post(`${app.url()}${endpoints.createRecipient.path}`, { data: sampleRecipient });
  expect(answer.ok(), await answer.text()).toBe(true);
  await page.goto(`${app.url()}/dashboard`);
  return email;
}

export async function enterAsAdmin(page: Page, url: string, account = adminAccount): Promise<void> {
  recordCalls(page);
  await beginSession(page, url, endpoints.login, { email: account.email, password: account.password });
  await page.goto(`${url}/admin`);
}

export async function addRecipient(page: Page): Promise<void> {
  // The list moves when the content above it loads: a click at that moment misses.
  await page.getByTestId('comparison-row').first().waitFor();
  await page.getByTestId('recipient-add').first().click();
  for (const name of ['name', 'ci', 'phone', 'bankAccount', 'address', 'city', 'relationship'] as const) {
    await page.getByTestId(`recipient-${name}`).fill(sampleRecipient[name]);
  }
  await page.getByTestId('recipient-bankName').selectOption(sampleRecipient.bankName);
  await page.getByTestId('recipient-submit').click();
  await page.getByTestId('recipient-form').waitFor({ state: 'hidden' });
}

/** Fills in the send form, for 100 EUR unless given. */
export async function chooseSending(page: Page, amount = '100', currency: SendCurrency = 'EUR'): Promise<void> {
  const recipients = page.getByTestId('send-recipient');
  await recipients.locator('option', { hasText: sampleRecipient.name }).waitFor({ state: 'attached' });
  await recipients.selectOption({ index: 1 });
  await page.getByTestId('send-currency').getByText(currency).click();
  await page.getByTestId('send-amount').fill(amount);
  const birthDate = page.getByTestId('send-birth-date');
  if (await birthDate.isVisible()) await birthDate.fill('1990-05-17');
}

/** As `chooseSending`, then opens the card dialog. */
export async function fillSending(page: Page, amount?: string, currency?: SendCurrency): Promise<void> {
  await chooseSending(page, amount, currency);
  await page.getByTestId('send-submit').click();
}

/** As `fillSending`, and waits for the card form. */
export async function startSending(page: Page, amount?: string, currency?: SendCurrency): Promise<void> {
  await fillSending(page, amount, currency);
  await cardForm(page).getByTestId('card-number').waitFor();
}

/** Stripe's card form, in its cross-origin frame. */
export const cardForm = (page: Page): FrameLocator => page.frameLocator('[data-stripe-frame=elements-frame]');

/** The form in which the provider sells USDC, in its frame. */
export const onrampForm = (page: Page): FrameLocator => page.frameLocator('[data-stripe-frame=onramp-frame]');
/** The question of the card's bank (3-D Secure), in another one. */
export const bankQuestion = (page: Page): FrameLocator => page.frameLocator('[data-stripe-frame=three-d-secure-frame]');

/** Types a card into Stripe's form and presses pay. */
export async function payInBrowser(page: Page, card: string): Promise<void> {
  const form = cardForm(page);
  await form.getByTestId('card-number').fill(card);
  await form.getByTestId('card-expiry').fill('1234');
  await form.getByTestId('card-cvc').fill('123');
  await page.getByTestId('pay-submit').click();
}

/** The sender's row of a transfer. */
export function senderRow(page: Page, status: string) {
  return page.locator(`[data-testid=transfer-row][data-status=${status}]`).first();
}

/** The admin's row of this sender's newest transfer; rows of other tests may be present. */
export function adminRow(page: Page, email: string, status?: string) {
  const state = status ? `[data-status=${status}]` : '';
  return page.locator(`[data-testid=admin-row]${state}`).filter({ hasText: email }).first();
}

export async function decideInBrowser(page: Page, email: string, decision: 'approve' | 'reject'): Promise<void> {
  await adminRow(page, email, 'pending').getByTestId(`admin-${decision}`).click();
  await confirmDecision(page);
}

/** Confirms the question that is open, with every serious reason ticked off. */
export async function confirmDecision(page: Page): Promise<void> {
  await page.getByTestId('admin-confirm').waitFor();
  for (const reason of await page.getByTestId('reason-read').all()) await reason.check();
  await page.getByTestId('admin-confirm').click();
}

/** Approves a transfer without a pointer. Asserts that the queue is in sight without scrolling, on a phone and on a small laptop. */
export async function approveByKeys(page: Page, transferId: string) {
  const lines = page.getByTestId('review-line');
  for (const [width, height] of [
    [390, 844],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    await lines.first().waitFor();
    const box = await lines.first().boundingBox();
    expect(box && box.y + box.height, `end of the first line, ${width} px wide`).toBeLessThan(height);
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
  }
  // Transfers of other tests may wait before this one, even more than the list above shows.
  await page.getByTestId('admin-view-to_decide').press('Enter');
  const line = page.locator(`[data-testid=review-line][data-row-id="${transferId}"]`);
  await line.waitFor();
  await lines.first().focus();
  const isFocused = () => line.evaluate((row) => row === document.activeElement);
  for (let left = await lines.count(); left > 0 && !(await isFocused()); left -= 1) await page.keyboard.press('j');
  expect(await isFocused()).toBe(true);
  await page.keyboard.press('Enter');
  await page.getByTestId('admin-timeline').waitFor();
  await page.keyboard.press('Escape');
  await page.getByTestId('admin-timeline').waitFor({ state: 'detached' });
  await expect.poll(isFocused).toBe(true);
  await page.keyboard.press('a');
  await confirmDecision(page);
  await page.getByTestId('admin-view-all').click();
}
