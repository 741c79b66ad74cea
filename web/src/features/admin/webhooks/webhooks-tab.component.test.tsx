import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { DeliveryView, WebhookView } from '#core/contracts/http/webhooks';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { openAsAdmin } from '../../../testing/admin-panel.tsx';
import { installFakeApi } from '../../../testing/fake-api.ts';
import { expectKeyboardDialog } from '../../../testing/keyboard-dialog.ts';
import { WebhooksTab } from './webhooks-tab.tsx';

const api = installFakeApi();

const webhook: WebhookView = {
  ...{ id: '0199b2d0-0000-4000-8000-0000000000a1', url: 'https://partner.example/events', description: 'ERP' },
  ...{ events: ['transfer.completed', 'transfer.refunded'], enabled: true, disabled_because: null },
  ...{ created_at: '2026-11-20T14:00:00.000Z', created_by: 'Luis Choque' },
  ...{ previous_secret_until: null, failing_since: null },
};
const delivery: DeliveryView = {
  ...{
    id: '0199b2d0-0000-4000-8000-0000000000b1',
    event_id: 'evt_88b6f431da5c4518a49fe40a34e014fb_6',
    type: 'transfer.completed',
  },
  ...{ transfer_id: '6d9a2b0e-54a1-4a1c-8f43-3b1f6a0f9d01', reference: 'TR120499213465692', status: 'failed' },
  ...{ attempts: 20, response_status: 503, error: 'status', created_at: '2026-11-20T15:00:00.000Z' },
  ...{ last_attempt_at: '2026-11-23T15:00:00.000Z', next_attempt_at: null },
};
const secret = 'whsec_7Q0eX';

const open = (items: WebhookView[], deliveries: DeliveryView[] = []) =>
  openAsAdmin(api, <WebhooksTab />, {
    listWebhooks: () => ({ items }),
    webhookDeliveries: () => ({ items: deliveries, nextCursor: null }),
  });
const field = (testid: string) => page.getByTestId(testid);
const bodiesOf = (name: string) => api.calls.filter((call) => call.name === name).map(({ body }) => body);

test('an address is added with what it is sent, and its secret is shown once', async () => {
  await open([]);
  await expect.element(page.getByText('Todavía no se avisa a nadie')).toBeVisible();
  await expectKeyboardDialog('features/admin/webhooks/webhook-dialogs.tsx', field('webhook-add'));
  await field('webhook-save').click();
  await expect.element(page.getByText('Escribe la dirección')).toBeVisible();
  expect(bodiesOf('createWebhook')).toEqual([]);
  api.answer({
    createWebhook: () => ({
      ...{ failure: 'invalid_input', status: 400, fields: {} },
      problems: { url: { code: 'webhook_url_malformed' } },
    }),
  });
  await field('webhook-url').fill('http://10.0.0.8');
  await field('webhook-save').click();
  await expect.element(page.getByText('Escribe una dirección https pública, sin usuario ni contraseña')).toBeVisible();
  api.answer({ createWebhook: () => ({ webhook, secret }), listWebhooks: () => ({ items: [webhook] }) });
  await field('webhook-url').fill(webhook.url);
  await field('webhook-description').fill('ERP');
  await page.getByRole('checkbox', { name: 'transfer.held' }).click();
  await field('webhook-save').click();
  await expect.element(field('webhook-secret')).toHaveTextContent(secret);
  const sent = bodiesOf('createWebhook').at(-1) as { url: string; events: string[] };
  expect(sent).toMatchObject({ url: webhook.url, description: 'ERP' });
  expect(sent.events).toHaveLength(10);
  expect(sent.events).not.toContain('transfer.held');
  await field('webhook-secret-done').click();
  await expect.element(field('webhook-secret')).not.toBeInTheDocument();
  await expect.element(field('webhook')).toMatchTextContent(/partner\.example\/events.*ERP.*Encendida/);
});

test('a new secret is made only when somebody agrees, by keyboard too', async () => {
  await open([webhook]);
  api.answer({ rotateWebhookSecret: () => ({ webhook, secret }) });
  await expectKeyboardDialog('features/admin/webhooks/webhook-dialogs.tsx', field('webhook-rotate'));
  expect(bodiesOf('rotateWebhookSecret')).toEqual([]);
  await field('webhook-rotate-confirm').click();
  await expect.element(field('webhook-secret')).toHaveTextContent(secret);
  expect(bodiesOf('rotateWebhookSecret')).toHaveLength(1);
  await userEvent.keyboard('{Escape}');
});

for (const [width, height] of [
  [390, 844],
  [1280, 900],
] as const) {
  test(`deliveries say what came of them and are sent again, ${width} px wide`, async () => {
    await page.viewport(width, height);
    await open(
      [{ ...webhook, enabled: false, disabled_because: 'failures', failing_since: delivery.created_at }],
      [delivery],
    );
    await expect.element(field('webhook')).toMatchTextContent(/Apagada por fallos.*No aceptó ningún aviso desde el/);
    await field('webhook-deliveries').click();
    await expect
      .element(field('webhook-delivery'))
      .toMatchTextContent(
        /transfer\.completed TR120499213465692.*evt_88b6f431da5c4518a49fe40a34e014fb_6.*Intentos: 20 · Contestó 503.*No entregado/,
      );
    await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
    // A card hides what is wider than it.
    const card = field('webhook').element();
    expect(card.scrollWidth).toBeLessThanOrEqual(card.clientWidth);
    await expectAccessible();
    const again: DeliveryView = { ...delivery, status: 'delivered', attempts: 21, response_status: 200, error: null };
    api.answer({
      resendDelivery: () => ({ delivery: again }),
      webhookDeliveries: () => ({ items: [again], nextCursor: null }),
    });
    await field('webhook-resend').click();
    await expect.element(field('webhook-delivery')).toMatchTextContent(/Intentos: 21 · Contestó 200.*Entregado/);
    api.answer({ updateWebhook: () => ({ webhook }), listWebhooks: () => ({ items: [webhook] }) });
    await field('webhook-turn').click();
    await expect.element(field('webhook')).toMatchTextContent(/Encendida/);
    expect(bodiesOf('updateWebhook')).toEqual([{ description: 'ERP', events: webhook.events, enabled: true }]);
  });
}
