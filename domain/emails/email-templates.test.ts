import { describe, expect, it, test } from 'vitest';
import { caseReasonNames } from '#core/operations/desk-case';
import { referenceOf } from '#core/transfers/reference';
import { company, step } from '../../testing/email-samples.ts';
import { renderEmail } from './email-templates.ts';

const transferId = '6d9a2b0e-54a1-4a1c-8f43-3b1f6a0f9d01';
const caseId = '0199b2d0-0000-4000-8000-0000000000aa';
const to = { name: 'Julia', locale: 'es', publicUrl: 'https://chasqui.test', company } as const;

const correctBy = '2026-11-29T14:00:00.000Z';
const paid = { amount: '100.00', currency: 'EUR' } as const;
const toSenders = {
  payout_failed: { ...paid, bolivianos: '1291.17', returned: false, correctBy },
  account_reminder: { ...paid, bolivianos: '1291.17', correctBy },
  account_not_corrected: paid,
} as const;
const toAdmins = {
  case_opened: { ...paid, reason: 'fraud_warning' },
  case_old: { ...paid, reason: 'refund_failed' },
  desk_request_waiting: { ...paid, requestedBy: 'Ana', reason: 'Lo pidió el banco' },
} as const;

test.each([
  ['es', /No se cobró nada|sin cobrarse/],
  ['en', /Nothing was charged|without a charge/],
] as const)('a payment that may have been charged is not reported as uncharged (%s)', async (locale, uncharged) => {
  for (const kind of ['transfer_rejected', 'transfer_cancelled', 'transfer_ended'] as const) {
    const rendered = async (mayBeCharged: boolean) => {
      const { subject, text } = await renderEmail(kind, { ...step, mayBeCharged }, { ...to, locale });
      return `${subject} ${text}`;
    };
    expect(await rendered(false)).toMatch(uncharged);
    expect(await rendered(true)).not.toMatch(uncharged);
  }
});

describe.each(Object.entries(toSenders))('the e-mail %s to a sender', (kind, data) => {
  it('links to its transfer', async () => {
    const { text, html } = await renderEmail(kind, { ...data, transferId }, to);
    expect(text).toContain(`: https://chasqui.test/dashboard?envio=${transferId}\n`);
    expect(html).toContain(`href="https://chasqui.test/dashboard?envio=${transferId}"`);
  });

  it('links to the dashboard if a previous version wrote it', async () => {
    expect((await renderEmail(kind, data, to)).text).toContain(': https://chasqui.test/dashboard\n');
  });
});

describe.each(Object.entries(toAdmins))('the e-mail %s to admins', (kind, data) => {
  it('links to its case and names its transfer', async () => {
    const { text, html } = await renderEmail(kind, { ...data, transferId, caseId }, to);
    expect(text).toContain(`: https://chasqui.test/admin?tab=operations&case=${caseId}\n`);
    expect(html).toContain(`href="https://chasqui.test/admin?tab=operations&amp;case=${caseId}"`);
    expect(text).toContain(referenceOf(transferId));
  });

  it('links to the operations desk if a previous version wrote it', async () => {
    expect((await renderEmail(kind, data, to)).text).toContain(': https://chasqui.test/admin?tab=operations\n');
  });
});

test('the alert about a fraud warning states it in its subject and first sentence', async () => {
  const { subject, text } = await renderEmail('case_opened', { ...toAdmins.case_opened, transferId, caseId }, to);
  expect(subject).toBe('Un envío necesita a una persona: el banco de la tarjeta avisa de un posible fraude');
  expect(text).toBe(
    [
      'Hola, Julia:',
      `Hay un caso nuevo: el banco de la tarjeta avisa de un posible fraude, en el envío ${referenceOf(transferId)} de 100,00 EUR.`,
      `Abrir el caso: https://chasqui.test/admin?tab=operations&case=${caseId}`,
      'Chasqui · Recibes este correo porque tienes una cuenta con nosotros.',
      'Chasqui GmbH · Ring 1, 1010 Wien\nLicencia: AT-0000. Supervisa: FMA.\n',
    ].join('\n\n'),
  );
});

test.each(caseReasonNames)('the alert about %s states it in its subject', async (reason) => {
  const { subject } = await renderEmail('case_opened', { ...paid, reason, transferId, caseId }, to);
  expect(subject).toMatch(/^Un envío necesita a una persona: [a-zé]/);
});

test.each([
  ['payout_failed', { ...toSenders.payout_failed, returned: false }, 'El banco rechazó la cuenta'],
  ['payout_failed', { ...toSenders.payout_failed, returned: true }, 'El banco devolvió el pago de Bs 1.291,17'],
  ['account_reminder', toSenders.account_reminder, 'todavía no llegaron'],
] as const)(
  'the e-mail %s states what the bank did and the deadline for correcting the account',
  async (kind, data, what) => {
    const { text } = await renderEmail(kind, data, to);
    expect(text.replaceAll('\u00a0', ' ')).toContain(what);
    expect(text).toMatch(/hasta el 29 de noviembre a las 10:00 \(hora de Bolivia\), te devolvemos el dinero/);
  },
);

test.each([
  ['rates_paused', { currency: 'USD', lastUpdatedAt: correctBy }],
  ['rates_resumed', { currency: 'USD', rate: '11.60', pausedAt: correctBy }],
] as const)('the e-mail %s links to the admin panel', async (kind, data) => {
  expect((await renderEmail(kind, data, to)).text).toContain(': https://chasqui.test/admin\n');
});
