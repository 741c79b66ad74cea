import { lazy, type ReactNode, useEffect } from 'react';
import { useLocation, useMatches, useNavigation } from 'react-router';
import { useSession } from '../data/session.ts';
import { PageChange, useHashTarget } from '../features/shell/page-change.tsx';
import { Shell } from '../features/shell/shell.tsx';
import { useDialogHistory } from '../ui/dialog-history.ts';
import { LazyPart } from '../ui/lazy-part.tsx';
import type { PageHandle } from '../ui/page.tsx';

/** For who is signed in: files of their own, so that a visitor's first page is light. */
const NewsBell = lazy(() => import('../features/news/news-bell.tsx'));
const NewsAnnouncer = lazy(() => import('../features/news/news-announcer.tsx'));

/** The frame of every page. */
export function Frame({ children }: { children: ReactNode }) {
  const navigation = useNavigation();
  const ownHeader = useMatches().some(({ handle }) => (handle as PageHandle | undefined)?.ownHeader);
  const userId = useSession().data?.user.id;
  useHashTarget();
  useDialogHistory(useLocation().key);
  // Rates that somebody waited for are told on every page.
  useEffect(() => {
    if (userId) void import('../features/rates/fired-alert-toast.ts').catch(() => undefined);
  }, [userId]);
  return (
    <Shell
      ownHeader={ownHeader}
      bell={
        <LazyPart missing={null}>
          <NewsBell />
        </LazyPart>
      }
    >
      <div aria-busy={navigation.state !== 'idle'}>{children}</div>
      <PageChange />
      {userId && (
        <LazyPart missing={null}>
          <NewsAnnouncer key={userId} userId={userId} />
        </LazyPart>
      )}
    </Shell>
  );
}
