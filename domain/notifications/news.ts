import { z } from 'zod';
import type { NewsItem, NewsPage } from '#core/contracts/http/news';
import { formatMinor } from '#core/money/money';
import { maxUnread } from '#core/notifications/news';
import { referenceOf } from '#core/transfers/reference';
import type { EntityManager } from '#platform/database/database';
import { cutPage, type PageQuery, readCursor } from '#platform/database/pages';
import { addPush } from '#platform/outbox/outbox';
import { countUnreadNews, findNews, type NewsReader, type NewsRow, noteNewsRead } from './news.repository.ts';

/** Ids in the list: of steps, of rows, and of rate changes. */
const newsId = z.string().regex(/^(rate-\d{1,18}|[0-9a-f-]{36}(:\d{1,9})?)$/);

/**
 * A page of a user's news, newest first, and the number of unread items.
 * @throws Failure `invalid_input` for a foreign cursor.
 */
export async function listNews(
  em: EntityManager,
  reader: NewsReader,
  { cursor, limit, now }: PageQuery & { now: Date },
): Promise<NewsPage> {
  const after = readCursor(cursor, newsId);
  const { rows, nextCursor } = cutPage(await findNews(em, reader, { after, limit, now }), limit);
  const unread = await countUnreadNews(em, reader, { most: maxUnread, now });
  return { items: rows.map(toNewsItem), nextCursor, unread };
}

/**
 * Marks a user's news up to a moment as read, in the transaction of `em`, and updates their other browsers. A moment
 * before that of an earlier call changes nothing; a future one counts as now.
 */
export async function readNews(
  em: EntityManager,
  { userId, until, now }: { userId: string; until: Date; now: Date },
): Promise<void> {
  const read = until < now ? until : now;
  if (await noteNewsRead(em, userId, read)) addPush(em, 'news-read', { userId });
}

function toNewsItem({ id, kind, createdAt, unread, current, subject, ...about }: NewsRow): NewsItem {
  return {
    id,
    kind,
    at: createdAt.toISOString(),
    unread,
    current,
    subject,
    transfer: toTransfer(about),
    repeat: toRepeat(about),
  };
}

type About = Omit<NewsRow, 'id' | 'kind' | 'createdAt' | 'unread' | 'current' | 'subject'>;

function toRepeat({ person, fixed, repeatedMinor, repeatedIn, problem }: About) {
  if (fixed === null || repeatedMinor === null || repeatedIn === null) return null;
  const amount = formatMinor(BigInt(repeatedMinor));
  return { person: person ?? '', fixed, amount, currency: repeatedIn, problem };
}

function toTransfer(row: About) {
  const { transferId, person, currency, amountMinor, bolivianosMinor, returnedMinor, payoutReturnedMinor } = row;
  if (transferId === null || currency === null) return null;
  const decimal = (minor: string | null) => formatMinor(BigInt(minor ?? 0));
  return {
    ...{ id: transferId, reference: referenceOf(transferId), person: person ?? '', currency },
    ...{ amount: decimal(amountMinor), bolivianos: decimal(bolivianosMinor) },
    ...{ returned: decimal(returnedMinor), payoutReturned: decimal(payoutReturnedMinor) },
  };
}
