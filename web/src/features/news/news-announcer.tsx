import { plural, t } from '@lingui/core/macro';
import { Anchor, Notification } from '@mantine/core';
import { useDocumentVisibility } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { type NewsItem, newsQuery, useReadNews } from '../../data/news.ts';
import { useOptionalPages } from '../../data/optional-pages.ts';
import { localStore } from '../../lib/storage.ts';
import { useCountInTitle } from '../../lib/title-count.ts';
import classes from './news.module.css';
import { newsText } from './news-texts.ts';

/** How long a toast stays while nobody points at it, in ms. */
const shownMs = 12_000;

/** Announces news to the signed-in person on every page: how many in the tab's title, the last one as a toast, in one tab and once. */
export default function NewsAnnouncer({ userId }: { userId: string }) {
  const data = useOptionalPages(newsQuery);
  const first = data?.pages[0];
  useCountInTitle(first?.unread ?? 0);
  const { toast, close } = useToast(userId, first?.items);
  return (
    // Always there, so that screen readers notice what comes into it.
    <div role="status" className={classes.toast}>
      {toast && <Toast key={toast.item.id} {...toast} unread={first?.unread ?? 0} onClose={close} />}
    </div>
  );
}

interface Announced {
  readonly item: NewsItem;
  /** How many others came with it. */
  readonly more: number;
}

function Toast({ item, more, unread, onClose }: Announced & { unread: number; onClose: () => void }) {
  const { mutate: read } = useReadNews();
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(onClose, shownMs);
    return () => clearTimeout(timer);
  }, [held, onClose]);
  const { title, message, address } = newsText(item);
  const others = more > 0 ? plural(more, { one: 'Y # novedad más.', other: 'Y # novedades más.' }) : '';
  const follow = () => {
    // Others that are unread stay so: only the list shows them.
    if (unread === 1) read(item.at);
    onClose();
  };
  return (
    <Notification
      role="group"
      aria-label={t`Novedad`}
      title={title}
      withBorder
      onClose={onClose}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      data-testid="news-toast"
      data-kind={item.kind}
    >
      {[message, others].filter(Boolean).join(' ')}{' '}
      <Anchor component={Link} to={address} onClick={follow} inherit>
        {t`Ver`}
      </Anchor>
    </Notification>
  );
}

/** The toast to show now: gone as soon as its news are read, or no longer as it says. */
function useToast(userId: string, items: readonly NewsItem[] | undefined) {
  const announces = useIsAnnouncer();
  const [announced, setAnnounced] = useState<Announced | null>(null);
  useEffect(() => {
    if (!announces || !items) return;
    const last = lastShown(userId);
    const newest = items[0] ? markOf(items[0]) : '';
    if (last !== null && newest <= last) return;
    rememberShown(userId, newest);
    // What was there before this browser knew the person is in the list, and was shown elsewhere.
    if (last === null) return;
    const [item, ...others] = items.filter((one) => one.unread && one.current && markOf(one) > last);
    if (item) setAnnounced({ item, more: others.length });
  }, [announces, items, userId]);
  const stands = items?.some(({ id, unread, current }) => id === announced?.item.id && unread && current);
  const [close] = useState(() => () => setAnnounced(null));
  return { toast: announces && stands ? announced : null, close };
}

const shownEntry = 'chasqui_news_shown';
/** Sorts as the list does. */
const markOf = ({ at, id }: NewsItem) => `${at} ${id}`;

/** Up to where this browser's tabs have shown news to this person; null when they never have. */
function lastShown(userId: string): string | null {
  const entry = localStore.getItem(shownEntry);
  return entry?.startsWith(`${userId} `) ? entry.slice(userId.length + 1) : null;
}

const rememberShown = (userId: string, mark: string) => localStore.setItem(shownEntry, `${userId} ${mark}`);

/** Whether this tab is the one that shows toasts: of all visible ones whichever came first, for as long as it is visible. */
function useIsAnnouncer(): boolean {
  const visibility = useDocumentVisibility();
  const [announces, setAnnounces] = useState(false);
  useEffect(() => {
    if (visibility === 'hidden') return;
    const left = Promise.withResolvers<void>();
    const waiting = new AbortController();
    const begin = () => {
      setAnnounces(true);
      return left.promise;
    };
    // Only pages that come over HTTPS have locks.
    if (navigator.locks)
      navigator.locks.request('chasqui-news', { signal: waiting.signal }, begin).catch(() => undefined);
    else void begin();
    return () => {
      setAnnounces(false);
      waiting.abort();
      left.resolve();
    };
  }, [visibility]);
  return announces;
}
