import { Button, Container } from '@mantine/core';
import { Link, Navigate, Outlet, useLocation } from 'react-router-dom';
import { sentenceOf } from '../lib/http.ts';
import { loginLeadingTo, paths } from '../lib/paths.ts';
import { useSession } from '../lib/session.ts';
import { Page } from '../ui/page.tsx';
import { LoadError } from '../ui/states.tsx';
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
  const session = useSession();
  const { pathname, search, hash } = useLocation();
  if (session.isPending) return <PageLoading />;
  if (session.isError)
    return (
      <Container size={560} py="xl">
        <LoadError sentence={sentenceOf(session.error)} retry={session.refetch} />
      </Container>
    );
  if (!session.data) return <Navigate to={loginLeadingTo(pathname + search + hash)} replace />;
  if (admin && session.data.user.role !== 'admin')
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
