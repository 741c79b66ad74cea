import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endpoints } from '#core/contracts/http/endpoints';
import { type WebhookEventType, webhookEventTypes } from '#core/webhooks/events';
import { freePort } from '../../infra/ports.ts';
import { until } from '../until.ts';
import { addRecipient, type Demo, reaches, send, signUpAs } from './demo-data.ts';
import { openAdmin } from './pages.ts';
import type { Screenshot } from './screenshot.ts';

/** A partner's server; an address that begins with /503 answers so. */
async function startReceiver() {
  const server = createServer((request, response) => {
    response.statusCode = Number(/^\/(\d+)/.exec(request.url ?? '')?.[1] ?? 200);
    request.resume().on('end', () => response.end());
  });
  await new Promise<void>((open) => server.listen(0, '127.0.0.1', open));
  const { port } = server.address() as AddressInfo;
  return { url: `http://localhost:${port}`, close: () => server.close() };
}

/** Partners that take everything, that fail, that cannot be reached, and one that is switched off; and what became of transfers. */
async function createDeliveries(demo: Demo, receiver: string): Promise<void> {
  const { client: admin } = demo.admin;
  const add = async (url: string, description: string, events: readonly WebhookEventType[] = webhookEventTypes) =>
    (await admin.call(endpoints.createWebhook, { body: { url, description, events: [...events] } })).webhook;
  const off = await add(`${receiver}/viejo`, 'La tienda de antes', ['transfer.completed']);
  const { description, events } = off;
  const none = await add(`http://localhost:${await freePort()}/chasqui`, 'Tarjeta de puntos', ['transfer.completed']);
  const failing = await add(`${receiver}/503/${'avisos-de-envios-'.repeat(5)}`, 'Central de cobranzas');
  const good = await add(`${receiver}/avisos`, 'Contabilidad');
  await admin.call(endpoints.updateWebhook, { params: { id: off.id }, body: { description, events, enabled: false } });
  await admin.call(endpoints.rotateWebhookSecret, { params: { id: good.id } });
  const sender = await signUpAs(demo, 'Yolanda Huanca Poma', 'yolanda.avisos@example.com');
  const recipientId = await addRecipient(sender, { name: 'Rosa Mamani Condori' });
  for (const amount of ['120.00', '85.50']) {
    const id = await send(demo, sender, { recipientId, amount, currency: 'eur' });
    await until('the transfer is approved', () => admin.call(endpoints.approve, { params: { id } }));
    await reaches(sender.client, id, 'completed');
  }
  for (const { id } of [none, failing, good]) {
    await until('all events were attempted', async () => {
      const { items } = await admin.call(endpoints.webhookDeliveries, { params: { id }, query: {} });
      return items.length > 0 && items.every(({ attempts }) => attempts > 0);
    });
  }
}

/** Partner webhooks and their deliveries. */
export const webhookScreenshots: readonly Screenshot[] = [
  {
    name: 'webhooks',
    take: async (context) => {
      const receiver = await startReceiver();
      try {
        await createDeliveries(context.demo, receiver.url);
        const page = await openAdmin(context, '/admin?tab=webhooks');
        const cards = page.getByTestId('webhook');
        await cards.first().waitFor();
        await context.writer.capture(page, 'webhooks-list');
        for (let number = 0; number < 3; number += 1) {
          await cards.nth(number).getByTestId('webhook-deliveries').click();
          await cards.nth(number).getByTestId('webhook-delivery').first().waitFor();
        }
        await context.writer.capture(page, 'webhooks-deliveries');
        for (const [button, name] of [
          ['webhook-edit', 'webhooks-edit'],
          ['webhook-rotate', 'webhooks-rotate'],
        ] as const) {
          await cards.nth(1).getByTestId(button).click();
          await page.getByRole('dialog').waitFor();
          await context.writer.capture(page, name, { viewportOnly: true });
          if (name === 'webhooks-rotate') {
            await page.getByTestId('webhook-rotate-confirm').click();
            await page.getByTestId('webhook-secret').waitFor();
            await context.writer.capture(page, 'webhooks-secret', { viewportOnly: true });
          }
          await page.keyboard.press('Escape');
          await page.getByRole('dialog').waitFor({ state: 'detached' });
        }
        await page.context().close();
      } finally {
        receiver.close();
      }
    },
  },
];
