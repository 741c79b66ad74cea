import { type ReactNode, useEffect } from 'react';
import { useLocation, useMatches, useNavigation } from 'react-router';
import { useSession } from '../data/session.ts';
import { useSignOutOnFrontPage } from '../features/shell/leave.ts';
import { PageChange, useHashTarget } from '../features/shell/page-change.tsx';
import { Shell } from '../features/shell/shell.tsx';
import { useDialogHistory } from '../ui/dialog-history.ts';
import type { PageHandle } from '../ui/page.tsx';

/** The frame of every page. */
export function Frame({ children }: { children: ReactNode }) {
  const navigation = useNavigation();
  const ownHeader = useMatches().some(({ handle }) => (handle as PageHandle | undefined)?.ownHeader);
  const isSignedIn = Boolean(useSession().data);
  useHashTarget();
  useDialogHistory(useLocation().key);
  useSignOutOnFrontPage();
  // Rates that somebody waited for are told on every page.
  useEffect(() => {
    if (isSignedIn) void import('../features/rates/fired-alert-toast.ts').catch(() => undefined);
  }, [isSignedIn]);
  return (
    <Shell ownHeader={ownHeader}>
      <div aria-busy={navigation.state !== 'idle'}>{children}</div>
      <PageChange />
    </Shell>
  );
}
