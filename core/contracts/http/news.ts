import { z } from 'zod';
import { adminNews, maxUnread, secondPersonSubjects, senderNews } from '../../notifications/news.ts';
import { endpoint } from './endpoint.ts';
import { fixedSides, reminderProblems } from './repeats.ts';
import { senderRoutes } from './sender-routes.ts';
import { amountText, currency, id, pageOf, pageQuery, timestamp } from './values.ts';

/** One piece of news: a code that the browser turns into a sentence, and its subject. */
export const newsItem = z.object({
  id: z.string(),
  kind: z.enum([...senderNews, ...adminNews]),
  at: timestamp,
  unread: z.boolean(),
  /** Whether it still is as it says: nothing has followed. */
  current: z.boolean(),
  /** Null where it is about none. */
  transfer: z
    .object({
      id,
      reference: z.string(),
      /** The recipient's name, or the sender's in news for admins. Empty without a person. */
      person: z.string(),
      amount: amountText,
      currency,
      bolivianos: amountText,
      /** Total returned to the sender so far. */
      returned: amountText,
      /** Amount of the payout returned by the bank so far. */
      payoutReturned: amountText,
    })
    .nullable(),
  /** The subject of a reminder; null for all other news. */
  repeat: z
    .object({
      /** The recipient's name; empty where the account was closed. */
      person: z.string(),
      fixed: z.enum(fixedSides),
      amount: amountText,
      currency,
      /** What kept it from being sent when it came. */
      problem: z.enum(reminderProblems).nullable(),
    })
    .nullable(),
  /** What awaits a second person's approval; null for all other news. */
  subject: z.enum(secondPersonSubjects).nullable(),
});
export type NewsItem = z.infer<typeof newsItem>;

export const newsPage = pageOf(newsItem).extend({ unread: z.number().int().min(0).max(maxUnread) });
export type NewsPage = z.infer<typeof newsPage>;

export const newsEndpoints = {
  listNews: endpoint({
    ...senderRoutes.listNews,
    summary:
      'Novedades de los envíos propios de 90 días y, para administradores, lo que espera; las más nuevas primero',
    access: 'sender',
    query: pageQuery,
    response: newsPage,
  }),
  readNews: endpoint({
    ...senderRoutes.readNews,
    summary: 'Marca como leídas las novedades hasta un momento; nunca las vuelve a poner como no leídas',
    access: 'sender',
    body: z.object({ until: timestamp }),
  }),
};
