import { minuteMs } from '#core/time/time';
import { failingMostMs, nextAttemptAt, signatureHeader } from '#core/webhooks/events';
import { runForRequest } from '#platform/request-id';
import type { JobContext } from '../job-context.ts';
import { addEmailToAdmins } from '../notifications/email.repository.ts';
import { type TakenDelivery, takeDueDeliveries, writeAttempt } from './due-deliveries.repository.ts';
import { type PostResult, post } from './post.ts';
import { signatureOf } from './sign.ts';
import { changeWebhook, lockWebhook, stopDeliveries } from './webhook.repository.ts';

/** Attempts of one endpoint at the same time. */
const each = 8;
/** How long an attempt may take before another process may repeat it (ms): longer than its time limit. */
const leaseMs = minuteMs;

/**
 * Sends events that are due, as long as there are some. Another process takes none that this one is at; one that died in an attempt has
 * it made again, with the same event id.
 */
export async function deliverDueEvents(context: JobContext): Promise<void> {
  const { database, now } = context;
  let taken: TakenDelivery[];
  do {
    taken = await database.statement((em) => takeDueDeliveries(em, { now: now(), leaseMs, each }));
    await Promise.all(taken.map((one) => runForRequest(one.requestId, () => deliver(context, one))));
  } while (taken.length > 0);
}

async function deliver(context: JobContext, taken: TakenDelivery): Promise<void> {
  const { database, now, webhooksAnywhere, log } = context;
  const body = JSON.stringify(taken.body);
  const headers = {
    [signatureHeader]: signatureOf(body, taken.secrets, now()),
    'chasqui-event-id': taken.eventId,
    'user-agent': 'Chasqui-Webhooks/1',
  };
  const result = await post(taken.url, { body, headers, anywhere: webhooksAnywhere });
  const at = now();
  const { responseStatus, error } = outcomeOf(result);
  const next = error === null ? null : nextAttemptAt({ attempts: taken.attempts, at, expiresAt: taken.expiresAt });
  const failingSince = await database.statement((em) =>
    writeAttempt(em, taken, { responseStatus, error, nextAttemptAt: next, at }),
  );
  if (error !== null) {
    const { endpointId, eventId, attempts } = taken;
    log.warn({ endpointId, eventId, attempts, error, responseStatus }, 'an event could not be delivered');
  }
  const isOver = error !== null && next === null;
  if (isOver && failingSince && at.getTime() - failingSince.getTime() >= failingMostMs)
    await switchOff(context, taken, { failingSince, at });
}

function outcomeOf(result: PostResult) {
  if ('error' in result) return { responseStatus: null, error: result.error };
  const isTaken = result.status >= 200 && result.status < 300;
  return { responseStatus: result.status, error: isTaken ? null : ('status' as const) };
}

/** Sends nothing more to an endpoint that has taken nothing for long, and tells admins; once, however many deliveries end. */
async function switchOff(
  { database }: JobContext,
  { endpointId }: TakenDelivery,
  { failingSince, at }: { failingSince: Date; at: Date },
): Promise<void> {
  await database.transaction(async (em) => {
    const webhook = await lockWebhook(em, endpointId);
    if (!webhook || webhook.disabledAt || !webhook.failingSince) return;
    await changeWebhook(em, webhook, { disabledAt: at, disabledBecause: 'failures' });
    await stopDeliveries(em, endpointId);
    await addEmailToAdmins(em, {
      kind: 'webhook_disabled',
      key: `webhook_disabled-${endpointId}-${failingSince.getTime()}`,
      data: { host: new URL(webhook.url).host, failingSince: failingSince.toISOString() },
      at,
    });
  });
}
