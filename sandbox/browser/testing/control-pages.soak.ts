/** Every control of the control pages, found by its label; each page is checked for accessibility violations once, on a phone. */
import { AxeBuilder } from '@axe-core/playwright';
import { createTransport } from 'nodemailer';
import type { Page } from 'playwright-core';
import Stripe from 'stripe';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { useBrowser, viewports } from '../../../infra/testing/browser.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';

let sandbox: Sandbox;
let page: Page;
let stripe: Stripe;

const browser = useBrowser();

beforeEach(async () => {
  // Nothing listens on this port: deliveries fail, which is all these tests need.
  sandbox = await startSandbox({ webhookUrl: 'http://127.0.0.1:9/webhook' });
  stripe = new Stripe('sk_test_sandbox', {
    host: '127.0.0.1',
    port: sandbox.port,
    protocol: 'http',
    telemetry: false,
    maxNetworkRetries: 0,
  });
  page = await browser.newPage({ viewport: viewports.phone });
});

afterEach(async () => {
  await sandbox.close();
});

const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 5000 });
const open = (name: string) => page.goto(`http://localhost:${sandbox.port}/${name}`);
const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click();
const statusMessage = () => page.getByRole('status').textContent();

async function ask<T>(path: string): Promise<T> {
  return (await fetch(`${sandbox.url}/sandbox/${path}`)).json() as Promise<T>;
}

async function newPayment(method: string): Promise<Stripe.PaymentIntent> {
  return stripe.paymentIntents.create({
    amount: 10_050,
    currency: 'eur',
    capture_method: 'manual',
    allowed_payment_method_types: ['card'],
    payment_method: method,
    confirm: true,
  });
}

function payOut(externalId: string): Promise<Response> {
  const beneficiary = { name: 'Ana Quispe', ci: '1234567', bankName: 'BNB', bankAccount: '100200300' };
  return fetch(`${sandbox.url}/bank/v1/payouts`, {
    method: 'POST',
    headers: {
      authorization: 'Bearer bank_sandbox',
      'idempotency-key': externalId,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ externalId, amount: '1291.40', currency: 'BOB', beneficiary }),
  });
}

const statusOf = async (intent: { id: string }) => (await stripe.paymentIntents.retrieve(intent.id)).status;

const newPurchase = (): Promise<{ id: string }> =>
  stripe.rawRequest('POST', '/v1/crypto/onramp_sessions', {
    source_currency: 'usd',
    source_amount: '100.00',
    destination_currency: 'usdc',
    destination_network: 'solana',
    wallet_addresses: { solana: 'ChasquiDemo111111111111111111111111111111111' },
  });
const purchaseStatus = async (id: string) =>
  (await stripe.rawRequest('GET', `/v1/crypto/onramp_sessions/${id}`)).status as string;

/** Asserts that axe finds nothing, outside of `except`, and that nothing is wider than the phone. */
async function expectAccessible(except?: string): Promise<void> {
  const builder = new AxeBuilder({ page });
  expect((await (except ? builder.exclude(except) : builder).analyze()).violations).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
}

it('the Stripe control page answers a challenge, lets authorizations expire, and resets the sandbox only after confirmation', async () => {
  const challenged = await newPayment('pm_card_authenticationRequired');
  await newPurchase();
  await payOut('first');
  await open('');
  await page.getByTestId(/^row-/).first().waitFor();
  await expectAccessible();
  await open('stripe');
  await page.getByTestId(`row-${challenged.id}`).waitFor();
  await expectAccessible();
  await press(`Completar: pago ${challenged.id}`);
  await eventually(() => statusOf(challenged)).toBe('requires_capture');
  await press(`Vencer retención: pago ${challenged.id}`);
  await eventually(() => statusOf(challenged)).toBe('canceled');
  await page.getByTestId(`row-${challenged.id}`).getByText('Anulado').waitFor();

  const held = await newPayment('pm_card_visa');
  await press('+7 días');
  await eventually(() => statusOf(held)).toBe('canceled');
  await eventually(() => page.getByTestId(/^row-pi_/).count()).toBe(2);
  await press('Reiniciar');
  await press('Volver');
  expect(await page.getByTestId(/^row-pi_/).count()).toBe(2);
  await press('Reiniciar');
  await press('Borrar todo');
  await page.getByText('Todavía no hay pagos.').waitFor();
});

it('the Stripe control page sets the webhook delivery mode, holds deliveries, flushes them, and sends one again', async () => {
  await open('stripe');
  await page.getByLabel('Modo').selectOption({ label: 'Retener' });
  await page.getByLabel('Copias de más').fill('2');
  await page.getByLabel('Desordenar').check();
  await press('Guardar');
  await eventually(statusMessage).toBe('Modo de entrega guardado.');
  const { global } = await ask<{ global: object }>('stripe/delivery_mode');
  expect(global).toMatchObject({ mode: 'hold', duplicate: 2, shuffle: true, simultaneous: 1 });
  await newPayment('pm_card_visa');
  const held = () =>
    page
      .getByTestId(/^row-del_/)
      .filter({ hasText: 'Retenido' })
      .count();
  // The payment's three events (created, charged, held) with two further copies each.
  await eventually(held).toBe(9);
  await press('Entregar ahora');
  await eventually(held).toBe(0);

  const lost = await ask<{ data: { id: string }[] }>('stripe/deliveries');
  const button = page.getByTestId(`row-${lost.data[0]?.id}`).getByRole('button');
  await button.focus();
  await page.keyboard.press('Enter');
  await eventually(statusMessage).toMatch(/^Enviado: payment_intent/);
  await eventually(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
});

it('the Stripe control page prevents a dispute, offers an appeal against a lost one, and lets the balance run out of funds', async () => {
  const [prevented, lost] = [await newPayment('pm_card_visa'), await newPayment('pm_card_visa')];
  for (const { id } of [prevented, lost]) await stripe.paymentIntents.capture(id);
  const disputeOf = async ({ id }: { id: string }) => (await stripe.disputes.list({ payment_intent: id })).data[0];
  const disputeStatus = async (payment: { id: string }) => (await disputeOf(payment))?.status;
  await open('stripe');
  await press(`Prevenir devolviendo: pago ${prevented.id}`);
  await eventually(() => disputeStatus(prevented)).toBe('prevented');
  await press(`Disputar: pago ${lost.id}`);
  await eventually(() => disputeStatus(lost)).toBe('needs_response');
  const { id } = (await disputeOf(lost)) as Stripe.Dispute;
  for (const [action, status] of [
    ['Perder', 'lost'],
    ['Ofrecer apelación', 'appeal_needs_response'],
    ['Ganar', 'won'],
  ]) {
    await press(`${action}: disputa ${id}`);
    await eventually(() => disputeStatus(lost)).toBe(status);
  }
  await page.getByLabel('Devoluciones sin saldo').selectOption({ label: 'Esperan saldo' });
  await page.locator('#account').getByRole('button', { name: 'Guardar' }).click();
  await eventually(statusMessage).toBe('Cuenta guardada.');
  expect(await stripe.refunds.create({ payment_intent: lost.id })).toMatchObject({
    ...{ status: 'pending', pending_reason: 'insufficient_funds' },
  });
});

it('the Stripe control page moves an onramp session, changes the name of its event, injects faults and clears them', async () => {
  const { id } = await newPurchase();
  await open('stripe');
  await press(`En camino: compra ${id}`);
  await eventually(() => purchaseStatus(id)).toBe('fulfillment_processing');
  await press(`Entregada: compra ${id}`);
  await eventually(() => purchaseStatus(id)).toBe('fulfillment_complete');
  await page.getByTestId(`row-${id}`).getByText('Entregada').waitFor();
  await page.getByLabel('Nombre del aviso').selectOption('crypto.onramp_session.updated');
  await page.getByLabel('Cuenta sin permiso').check();
  await page.locator('#onramp-mode').getByRole('button', { name: 'Guardar' }).click();
  await eventually(statusMessage).toBe('Modo de las compras guardado.');
  expect(await ask('stripe/onramp_mode')).toEqual({ eventName: 'crypto.onramp_session.updated', disabled: true });

  await page.getByRole('combobox', { name: 'Fallo' }).selectOption({ label: 'Demasiadas peticiones (429)' });
  await page.getByRole('spinbutton', { name: 'Peticiones' }).fill('1');
  await press('Provocar');
  await page.getByText('Pendientes: Demasiadas peticiones (429) × 1').waitFor();
  await expect(newPayment('pm_card_visa')).rejects.toMatchObject({ statusCode: 429 });
  await newPayment('pm_card_visa');
  await press('Provocar');
  await page.getByText('Pendientes:').waitFor();
  await press('Quitar todos');
  await page.getByText('Ninguno pendiente.').waitFor();
  await newPayment('pm_card_visa');
});

it('the bank control page rejects the next payouts, lists each with its result, and injects faults into the bank alone', async () => {
  await open('bank.html');
  await page.getByLabel('Rechazar los próximos').fill('1');
  await page.getByLabel('Motivo del rechazo').selectOption({ label: 'La cuenta de destino está bloqueada.' });
  await press('Guardar');
  await eventually(statusMessage).toBe('Respuestas del banco guardadas.');
  await payOut('first');
  await payOut('second');
  const rows = page.getByTestId(/^row-bp_/);
  await eventually(() => rows.allTextContents()).toHaveLength(2);
  const [second, first] = await rows.allTextContents();
  expect(first).toMatch(/^firstBs 1\.291,40RechazadoLa cuenta de destino está bloqueada\./);
  expect(second).toMatch(/^secondBs 1\.291,40PagadoBO\d+/);
  await expectAccessible();

  await press('Provocar');
  await page.getByText('Pendientes: Error 500, sin hacer nada × 1').waitFor();
  await newPayment('pm_card_visa');
  expect((await payOut('third')).status).toBe(500);
  expect((await payOut('third')).status).toBe(201);
});

const mail = (subject: string, more: object = {}) =>
  createTransport(`smtp://127.0.0.1:${sandbox.smtpPort}`).sendMail({
    from: 'avisos@chasqui.test',
    to: 'ana@example.com',
    subject,
    text: 'Hola, Ana.',
    html: '<p>Hola, <b>Ana</b>.</p>',
    ...more,
  });

it('the mail control page lists messages by recipient, shows one without scripts or remote content, and refuses the next ones', async () => {
  page = await browser.newPage({ viewport: viewports.phone, expectedErrors: [/^console: Blocked script execution/] });
  await mail('Primero', { html: '<p>Hola, Ana.</p><script>parent.document.title = "hostile"</script>' });
  await mail('Segundo', { to: 'luis@example.com', html: undefined });
  await open('mail.html');
  const rows = page.getByTestId(/^row-mail_/);
  await eventually(() => rows.count()).toBe(2);
  await press('Leer: Primero');
  await page.frameLocator('iframe').getByText('Hola, Ana.').waitFor();
  expect(await page.title()).toBe('Correo simulado');
  await expectAccessible('iframe');
  await press('Leer: Segundo');
  await page.locator('#text').getByText('Hola, Ana.').waitFor();
  expect(await page.locator('iframe').count()).toBe(0);
  await page.getByLabel('Destinatario').fill('luis@example.com');
  await eventually(() => rows.count()).toBe(1);
  await page.getByLabel('Destinatario').fill('nadie@example.com');
  await page.getByText('Nadie le escribió a ese destinatario.').waitFor();
  await page.getByLabel('Destinatario').fill('');

  await page.getByLabel('Rechazar los próximos').fill('1');
  await page.getByLabel('Cómo').selectOption({ label: 'Para siempre: el buzón no existe (550)' });
  await press('Guardar');
  await eventually(statusMessage).toBe('Fallos del correo guardados.');
  await expect(mail('Tercero')).rejects.toMatchObject({ responseCode: 550 });
  await mail('Cuarto');
  await page.getByText('Cuarto').first().waitFor();
  expect(await rows.count()).toBe(3);
});
