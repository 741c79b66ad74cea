import type { RowJobData } from '#core/contracts/jobs';
import { secondMs } from '#core/time/time';
import { maxFailingMs, nextAttemptAt, signatureHeader } from '#core/webhooks/events';
import type { EntityManager } from '#platform/database/database';
import { type PostResult, post } from '#platform/http/post';
import type { JobResult } from '#platform/outbox/row-jobs';
import { NonRetryableError } from '#platform/queues/retry';
import { addEmailToAdmins } from '../emails/email.repository.ts';
import type { JobContext } from '../jobs/job-context.ts';
import {
  beginDelivery,
  type DueDelivery,
  endDeliveryAttempt,
  findEndpointIdOf,
  stopDeliveries,
} from './delivery.repository.ts';
import { signatureOf } from './sign.ts';
import { changeWebhook, type WebhookEndpoint } from './webhook.repository.ts';

/**
 * Maximum concurrent attempts of one endpoint in this process: fewer than its queue runs, so that a slow endpoint does
 * not block the others.
 */
const maxPerEndpoint = 8;
/** Retry delay of a delivery whose endpoint was busy, in ms. */
const busyMs = 5 * secondMs;

/** Running attempts by endpoint. */
const running = new Map<string, number>();

/**
 * Sends a due event to its endpoint. An attempt whose worker died is repeated, with the same event id. Returns when its
 * job is to run again.
 * @throws NonRetryableError when its time is over.
 */
export async function deliverEvent(context: JobContext, job: RowJobData): Promise<JobResult> {
  const endpointId = await findEndpointIdOf(context.database.fork(), job.id);
  if (endpointId === null) return undefined;
  const underWay = running.get(endpointId) ?? 0;
  if (underWay >= maxPerEndpoint) return { at: new Date(context.now().getTime() + busyMs) };
  running.set(endpointId, underWay + 1);
  try {
    return await deliver(context, job);
  } finally {
    const left = (running.get(endpointId) ?? 1) - 1;
    if (left > 0) running.set(endpointId, left);
    else running.delete(endpointId);
  }
}

async function deliver(context: JobContext, job: RowJobData): Promise<JobResult> {
  const { database, now } = context;
  const begun = await database.transaction((em) => beginDelivery(em, job, now()));
  if (!begun) return undefined;
  if ('early' in begun) return begun.early;
  const { delivery } = begun;
  const { responseStatus, error } = outcomeOf(await send(context, begun));
  const at = now();
  const next = error === null ? null : nextAttemptAt({ ...delivery, at });
  const isWritten = await database.transaction(async (em) => {
    const endpoint = await endDeliveryAttempt(em, delivery, { responseStatus, error, nextAttemptAt: next, at });
    if (endpoint && error !== null && next === null) await switchOffFailing(em, endpoint, at);
    return endpoint !== null;
  });
  if (!isWritten || error === null) return undefined;
  const failure = error === 'status' ? `status ${responseStatus}` : error;
  if (next === null) throw new NonRetryableError(failure);
  return { at: next, error: failure };
}

function send({ now, webhooksAnywhere }: JobContext, { delivery, url, secrets }: DueDelivery): Promise<PostResult> {
  const body = JSON.stringify(delivery.body);
  const headers = {
    [signatureHeader]: signatureOf(body, secrets, now()),
    'chasqui-event-id': delivery.eventId,
    'user-agent': 'Chasqui-Webhooks/1',
  };
  return post(url, { body, headers, anywhere: webhooksAnywhere });
}

function outcomeOf(result: PostResult) {
  if ('error' in result) return { responseStatus: null, error: result.error };
  const isTaken = result.status >= 200 && result.status < 300;
  return { responseStatus: result.status, error: isTaken ? null : ('status' as const) };
}

/** Disables a locked endpoint that has failed for too long, and notifies admins; once, however many deliveries end. */
async function switchOffFailing(em: EntityManager, endpoint: WebhookEndpoint, at: Date): Promise<void> {
  const { id, url, failingSince, disabledAt } = endpoint;
  if (disabledAt || !failingSince || at.getTime() - failingSince.getTime() < maxFailingMs) return;
  await changeWebhook(em, endpoint, { disabledAt: at, disabledBecause: 'failures' });
  await stopDeliveries(em, id);
  await addEmailToAdmins(em, {
    kind: 'webhook_disabled',
    key: `webhook_disabled-${id}-${failingSince.getTime()}`,
    data: { host: new URL(url).host, failingSince: failingSince.toISOString() },
    at,
  });
}
