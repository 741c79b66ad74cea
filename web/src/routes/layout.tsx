import { Center, Loader } from '@mantine/core';
import { useEffect } from 'react';
import { Outlet, ScrollRestoration, useMatches, useNavigation } from 'react-router-dom';
import { useHashTarget } from '../features/shell/hash-target.ts';
import { useSignOutOnFrontPage } from '../features/shell/leave.ts';
import { Shell } from '../features/shell/shell.tsx';
import { useSession } from '../lib/session.ts';

/** What a page says of itself to its frame and to the server. */
export interface PageHandle {
  /** It brings a header of its own. */
  readonly ownHeader?: boolean;
  /** As unknown as any wrong address where cards are not played by the simulator. */
  readonly sandboxOnly?: boolean;
}

/** The frame of every page. */
export function Layout() {
  const navigation = useNavigation();
  const ownHeader = useMatches().some(({ handle }) => (handle as PageHandle | undefined)?.ownHeader);
  const isSignedIn = Boolean(useSession().data);
  useHashTarget();
  useSignOutOnFrontPage();
  // Rates that somebody waited for are told on every page.
  useEffect(() => {
    if (isSignedIn) void import('../features/rate-alerts/fired-toast.ts').catch(() => undefined);
  }, [isSignedIn]);
  return (
    <Shell ownHeader={ownHeader}>
      <ScrollRestoration />
      <div aria-busy={navigation.state !== 'idle'}>
        <Outlet />
      </div>
    </Shell>
  );
}

/** Stands in while a page's own file is on its way. */
export function PageLoading() {
  return (
    <Center mih="50vh" role="status" aria-label="Cargando">
      <Loader />
    </Center>
  );
}
