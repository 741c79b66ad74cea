import { Button } from '@mantine/core';
import { Link, Navigate, Outlet, useLocation } from 'react-router-dom';
import type { SessionView } from '#core/contracts/http/auth';
import { useOpenPayment } from '../lib/open-payment.ts';
import { loginLeadingTo, paths } from '../lib/paths.ts';
import { useSession } from '../lib/session.ts';
import { Page } from '../ui/page.tsx';
import { PageQueryView } from '../ui/page-query-view.tsx';
import { PageLoading } from './layout.tsx';

/** Lets in who is signed in; others sign in first and come back. The server checks every call by itself. */
export function RequireSender() {
  return <Guard admin={false} />;
}

/** Lets in admins only. */
export function RequireAdmin() {
  return <Guard admin />;
}

function Guard({ admin }: { admin: boolean }) {
  return (
    <PageQueryView query={useSession()} loading={<PageLoading />}>
      {(session) => <GuardedPage session={session} admin={admin} />}
    </PageQueryView>
  );
}

function GuardedPage({ session, admin }: { session: SessionView | null; admin: boolean }) {
  const { pathname, search, hash } = useLocation();
  const { held } = useOpenPayment();
  // The session ended while the card was asked: what became of the payment stays on screen.
  if (!session && held) return <Outlet />;
  if (!session) return <Navigate to={loginLeadingTo(pathname + search + hash)} replace />;
  if (admin && session.user.role !== 'admin')
    return (
      <Page
        title="No tienes permiso para ver esta página"
        lead="Solo la ven las personas que administran Chasqui."
        size={720}
      >
        <div>
          <Button component={Link} to={paths.dashboard}>
            Ir a Mi Panel
          </Button>
        </div>
      </Page>
    );
  return <Outlet />;
}
