import { Controller, Inject } from '@nestjs/common';
import { endpoints } from '#core/contracts/http/endpoints';
import {
  createWebhook,
  listDeliveries,
  listWebhooks,
  resendDelivery,
  rotateSecret,
  updateWebhook,
} from '#domain/webhooks/webhooks';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Database } from '#platform/database/database';
import { Call, type CallOf, Serve } from '../http/serve.ts';
import { ENV } from '../tokens.ts';

/** Webhook endpoints that notify partners of changes of transfers. */
@Controller()
export class WebhooksController {
  constructor(
    private readonly database: Database,
    @Inject(ENV) private readonly env: ApiConfiguration,
  ) {}

  @Serve(endpoints.listWebhooks)
  async list() {
    return { items: await listWebhooks(this.database.fork(), new Date()) };
  }

  @Serve(endpoints.createWebhook)
  create(@Call() { body, person }: CallOf<typeof endpoints.createWebhook>) {
    const input = { ...body, adminId: person.user.id, at: new Date() };
    return this.database.transaction((em) => createWebhook(em, input, { anywhere: this.env.webhooksAnywhere }));
  }

  @Serve(endpoints.updateWebhook)
  async update(@Call() { params, body }: CallOf<typeof endpoints.updateWebhook>) {
    const input = { ...body, id: params.id, at: new Date() };
    return { webhook: await this.database.transaction((em) => updateWebhook(em, input)) };
  }

  @Serve(endpoints.rotateWebhookSecret)
  rotate(@Call() { params }: CallOf<typeof endpoints.rotateWebhookSecret>) {
    return this.database.transaction((em) => rotateSecret(em, params.id, new Date()));
  }

  @Serve(endpoints.webhookDeliveries)
  deliveries(@Call() { params, query }: CallOf<typeof endpoints.webhookDeliveries>) {
    return listDeliveries(this.database.fork(), { ...query, endpointId: params.id });
  }

  @Serve(endpoints.resendDelivery)
  async resend(@Call() { params }: CallOf<typeof endpoints.resendDelivery>) {
    return { delivery: await this.database.transaction((em) => resendDelivery(em, params.id, new Date())) };
  }
}
