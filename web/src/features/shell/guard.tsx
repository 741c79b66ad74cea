import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { Link, Navigate, Outlet, redirect, useLocation } from 'react-router';
import type { SessionView } from '#core/contracts/http/auth';
import { accountSections } from '#core/contracts/page-addresses';
import { queryClient, useSessionEnd } from '../../data/query-client.ts';
import { sessionQuery, useSession } from '../../data/session.ts';
import { useOpenPayment } from '../../lib/document.ts';
import { loginLeadingTo, paths } from '../../lib/paths.ts';
import { Page, PageLoading } from '../../ui/page.tsx';
import { PageQueryView } from '../../ui/query-view.tsx';

/**
 * Before a guarded page is shown: who is signed in is asked unless it is known, and visitors sign in first and come back. Should the question
 * fail, `Guard` says so and offers to ask again. It also follows what is asked once more about who is known, as after a sign-in.
 * @throws a redirect to the login page
 */
export async function loadSession(request: Request): Promise<null> {
  const known = queryClient.getQueryData(sessionQuery.queryKey);
  const session = known ?? (await queryClient.fetchQuery(sessionQuery).catch(() => undefined));
  if (session !== null) return null;
  const { pathname, search, hash } = new URL(request.url);
  throw redirect(loginLeadingTo(pathname + search + hash));
}

/** Lets in who is signed in, or admins only, and goes on watching: a session may end. The server checks every call by itself. */
export function Guard({ admin }: { admin: boolean }) {
  return (
    <PageQueryView query={useSession()} loading={<PageLoading />}>
      {(session) => <GuardedPage session={session} admin={admin} />}
    </PageQueryView>
  );
}

function GuardedPage({ session, admin }: { session: SessionView | null; admin: boolean }) {
  const { pathname, search, hash } = useLocation();
  const { held } = useOpenPayment();
  const { requested } = useSessionEnd();
  // The session ended while the card was asked: what became of the payment stays on screen.
  if (!session && held) return <Outlet />;
  if (!session && requested) return <SignedOut />;
  if (!session) return <Navigate to={loginLeadingTo(pathname + search + hash)} replace />;
  if (session.mustSetUp && pathname !== paths.account)
    return <Navigate to={`${paths.account}#${accountSections.security}`} replace />;
  if (admin && !session.user.adminRole)
    return (
      <Page
        title={t`No tienes permiso para ver esta página`}
        lead={t`Solo la ven las personas que administran Chasqui.`}
        size={720}
      >
        <div>
          <Button component={Link} to={paths.dashboard}>
            <Trans>Ir a Mi Panel</Trans>
          </Button>
        </div>
      </Page>
    );
  return <Outlet />;
}

/** Takes the place of a guarded page when its person signs out there: no other page's file may come, as offline. */
function SignedOut() {
  return (
    <Page title={t`Saliste de tu cuenta`} size={720}>
      <div>
        <Button component={Link} to={paths.home}>
          <Trans>Ir al inicio</Trans>
        </Button>
      </div>
    </Page>
  );
}
