/** Webhook endpoints. The secret is returned once, when the endpoint is created. */
import type Stripe from 'stripe';
import { z } from 'zod';
import type { Call, SandboxContext } from '../context.ts';
import { newId, randomText } from '../ids.ts';
import { invalidRequest, missingObject } from '../server/errors.ts';
import { emptyable, expand, flag, ignored, listOf, metadata, pages, text, withMetadata } from '../server/parameters.ts';
import { type Page, pageOf } from './lists.ts';

/** The endpoint of the environment, so that no set-up is needed. */
const OWN_ENDPOINT_ID = 'we_1SandboxFromEnvironment';

const fields = { ...expand, description: emptyable(text()).optional(), metadata: metadata.optional() };
export const createParameters = z.strictObject({
  ...fields,
  url: text(5000),
  enabled_events: listOf(text()),
  api_version: ignored.optional(),
});
export const updateParameters = z.strictObject({
  ...fields,
  url: text(5000).optional(),
  enabled_events: listOf(text()).optional(),
  disabled: flag.optional(),
});

function checkUrl(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw invalidRequest('Invalid URL: An explicit scheme (such as https) must be provided.', {
      code: 'url_invalid',
      param: 'url',
    });
  }
  return url;
}

function build(context: SandboxContext, id: string, url: string, enabledEvents: string[]): Stripe.WebhookEndpoint {
  return {
    id,
    object: 'webhook_endpoint',
    api_version: null,
    application: null,
    created: context.clock.seconds(),
    description: null,
    enabled_events: enabledEvents,
    livemode: false,
    metadata: {},
    status: 'enabled',
    url: checkUrl(url),
  };
}

/** Registers the environment's endpoint, or changes its URL; its deliveries stay. */
export function registerOwnEndpoint(context: SandboxContext, url: string, secret: string): void {
  const before = context.storage.find('webhook_endpoint', OWN_ENDPOINT_ID);
  if (before) {
    context.storage.save('webhook_endpoint', { ...before, url: checkUrl(url), status: 'enabled' }, { secret });
  } else context.storage.insert('webhook_endpoint', build(context, OWN_ENDPOINT_ID, url, ['*']), { secret });
}

export function createEndpoint(call: Call, input: z.infer<typeof createParameters>): Stripe.WebhookEndpoint {
  const endpoint = {
    ...build(call.context, newId('we_1'), input.url, input.enabled_events),
    description: input.description ?? null,
    metadata: withMetadata({}, input.metadata),
  };
  const secret = `whsec_${randomText(32)}`;
  call.context.storage.insert('webhook_endpoint', endpoint, { secret });
  return { ...endpoint, secret };
}

export const retrieveParameters = z.strictObject({ ...expand });

export function retrieveEndpoint(call: Call, id: string): Stripe.WebhookEndpoint {
  const endpoint = call.context.storage.find('webhook_endpoint', id);
  if (!endpoint) throw missingObject('webhook endpoint', id);
  return endpoint;
}

export function updateEndpoint(
  call: Call,
  id: string,
  input: z.infer<typeof updateParameters>,
): Stripe.WebhookEndpoint {
  const before = retrieveEndpoint(call, id);
  const after: Stripe.WebhookEndpoint = {
    ...before,
    ...(input.url ? { url: checkUrl(input.url) } : {}),
    ...(input.enabled_events ? { enabled_events: input.enabled_events } : {}),
    ...(input.disabled !== undefined ? { status: input.disabled ? 'disabled' : 'enabled' } : {}),
    ...(input.description !== undefined ? { description: input.description } : {}),
    metadata: withMetadata(before.metadata, input.metadata),
  };
  call.context.storage.save('webhook_endpoint', after);
  return after;
}

export function deleteEndpoint(call: Call, id: string): Stripe.DeletedWebhookEndpoint {
  retrieveEndpoint(call, id);
  call.context.storage.remove('webhook_endpoint', id);
  return { id, object: 'webhook_endpoint', deleted: true };
}

export const listParameters = z.strictObject({ ...pages, ...expand });

export function listEndpoints(call: Call, input: z.infer<typeof listParameters>): Page<Stripe.WebhookEndpoint> {
  return pageOf(call.context, 'webhook_endpoint', '/v1/webhook_endpoints', input);
}
