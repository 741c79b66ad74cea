import type { RowJobData } from '#core/contracts/jobs';
import type { PushConfiguration } from '#platform/configuration/worker';
import type { PostResult } from '#platform/http/post';
import type { JobResult } from '#platform/outbox/row-jobs';
import { NonRetryableError } from '#platform/queues/retry';
import type { JobContext } from '../jobs/job-context.ts';
import { sendToBrowser } from '../web-pushes/push-service.ts';
import {
  beginWebPush,
  type DueWebPush,
  endWebPushAttempt,
  type WebPushOutcome,
  worthSendingMs,
} from '../web-pushes/web-push.repository.ts';
import { webPushText } from '../web-pushes/web-push-texts.ts';

/**
 * Sends a due notification to a user's browser, in the user's current language, outside any transaction. If a worker
 * dies before recording the result, it is sent again under the same topic and tag. Returns when its job is to run
 * again.
 * @throws NonRetryableError when it was given up.
 */
export async function sendWebPush(context: JobContext, job: RowJobData): Promise<JobResult> {
  const { database, push: configuration, now } = context;
  if (!configuration) return undefined;
  const begun = await database.transaction((em) => beginWebPush(em, job, now()));
  if (!begun) return undefined;
  if ('early' in begun) return begun.early;
  const outcome = await send(configuration, begun, now());
  const next = await database.transaction((em) => endWebPushAttempt(em, begun.push, outcome, now()));
  if (!('error' in outcome) || next === undefined) return undefined;
  if (next === null) throw new NonRetryableError(outcome.error);
  return { at: next, error: outcome.error };
}

async function send(
  configuration: PushConfiguration,
  { push, browser, locale, wanted }: DueWebPush,
  at: Date,
): Promise<WebPushOutcome> {
  const ttlMs = push.createdAt.getTime() + worthSendingMs - at.getTime();
  if (!wanted || ttlMs <= 0) return { result: 'dropped' };
  const text = webPushText(push, locale);
  return outcomeOf(await sendToBrowser(configuration, browser, { text, key: push.key, ttlMs }));
}

function outcomeOf(answer: PostResult): WebPushOutcome {
  if ('error' in answer) return { result: 'failed', error: answer.error };
  const { status } = answer;
  if (status >= 200 && status < 300) return { result: 'sent' };
  // RFC 8030, 7.3: the subscription no longer exists.
  if (status === 404 || status === 410) return { result: 'gone' };
  // The message itself is invalid, and would be next time.
  const isFinal = status === 400 || status === 413;
  return { result: isFinal ? 'refused' : 'failed', error: `status ${status}` };
}
