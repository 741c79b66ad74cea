import type { PushConfiguration } from '#platform/configuration/worker';
import { Runner } from '#platform/outbox/runner';
import type { JobContext } from '../job-context.ts';
import type { PostResult } from '../webhooks/post.ts';
import { sendToBrowser } from './push-service.ts';
import {
  type DueWebPush,
  takeDueWebPushes,
  type WebPushOutcome,
  worthSendingMs,
  writeWebPushOutcome,
} from './web-push.repository.ts';
import { webPushText } from './web-push-texts.ts';

/** Notifications under way at once. Few, because each is encrypted and signed: what moves money does not wait for a burst of them. */
const width = 8;

/**
 * Sends notifications to people's devices that are due, in the language that each person reads then. They are taken first and sent outside of
 * any transaction. Only what a worker that dies has not written down is sent again, under the same topic and tag.
 */
export class WebPushRunner extends Runner<DueWebPush> {
  constructor(context: JobContext, configuration: PushConfiguration) {
    const { database, log, now } = context;
    super({
      width,
      take: (limit) => database.statement((em) => takeDueWebPushes(em, { now: now(), limit })),
      requestId: ({ push }) => push.requestId,
      attempt: async (due) => {
        const { id: webPushId, attempts } = due.push;
        try {
          const outcome = await send(configuration, due, now());
          if ('error' in outcome)
            log.warn({ webPushId, attempts, error: outcome.error }, 'a notification could not be sent');
          await database.statement((em) => writeWebPushOutcome(em, due.push, outcome, now()));
        } catch (error) {
          // Its lease ends, and it is sent again.
          log.error({ err: error, webPushId }, 'what became of a notification could not be written down');
        }
      },
    });
  }
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
  // RFC 8030, 7.3: the subscription does not exist any more.
  if (status === 404 || status === 410) return { result: 'gone' };
  // The message itself is wrong, and would be the next time.
  const isFinal = status === 400 || status === 413;
  return { result: isFinal ? 'refused' : 'failed', error: `status ${status}` };
}
