import { unreadMost } from '#core/notifications/news';

/** A count of unread news as it is shown; the server counts up to `unreadMost`. */
export const unreadText = (unread: number): string => (unread < unreadMost ? String(unread) : `${unreadMost - 1}+`);
