import { Anchor, Card, Container, Stack, Tabs, Text, Title } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router-dom';
import type { SessionView } from '#core/contracts/http/auth';
import { Benefits } from '../features/account/benefits.tsx';
import { LoginForm } from '../features/account/login-form.tsx';
import { SignupForm } from '../features/account/signup-form.tsx';
import { destinationOf, paths } from '../lib/paths.ts';
import { startSession, useSession } from '../lib/session.ts';
import { usePageTitle } from '../ui/page.tsx';
import classes from './login.module.css';

/** The sign-up toast can be read before the page changes. */
const signupPauseMs = 1000;

/** Login and sign-up: one page, two tabs; the address decides which is open. */
export function Component() {
  const [search, setSearch] = useSearchParams();
  const session = useSession();
  const enter = useEnter();
  const tab = search.get('signup') === 'true' ? 'signup' : 'login';
  usePageTitle(tab === 'signup' ? 'Registrarse' : 'Iniciar Sesión');
  if (session.data && !enter.leaving) return <Navigate to={destinationOf(search)} replace />;
  const open = (value: string | null) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        if (value === 'signup') after.set('signup', 'true');
        else after.delete('signup');
        return after;
      },
      { replace: true },
    );
  return (
    <Container size={1080} px={{ base: 'md', sm: 'lg' }} py={{ base: 'lg', md: 56 }}>
      <div className={classes.columns}>
        <Card shadow="md" padding="lg">
          <Stack>
            <Anchor component={Link} to={paths.home} fz="sm" style={{ alignSelf: 'flex-start' }}>
              <IconArrowLeft size={16} aria-hidden style={{ verticalAlign: '-3px' }} /> Volver al inicio
            </Anchor>
            <Tabs value={tab} onChange={open} keepMounted={false}>
              <Tabs.List grow mb="md">
                <Tabs.Tab value="login" data-testid="login-tab" fz="md">
                  Iniciar Sesión
                </Tabs.Tab>
                <Tabs.Tab value="signup" data-testid="signup-tab" fz="md">
                  Registrarse
                </Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value="login">
                <LoginForm onEntered={(opened) => enter.now(opened, destinationOf(search))} />
              </Tabs.Panel>
              <Tabs.Panel value="signup">
                <SignupForm onEntered={(opened) => enter.afterPause(opened, destinationOf(search))} />
              </Tabs.Panel>
            </Tabs>
          </Stack>
        </Card>
        <Stack gap="xl">
          <div>
            <Title order={1}>
              {tab === 'signup' ? 'Tu familia, a un envío de distancia' : 'Qué bueno verte de nuevo'}
            </Title>
            <Text c="dimmed" mt="xs">
              Envía desde cualquier lugar y sigue tu dinero hasta que llega a Bolivia.
            </Text>
          </div>
          <Benefits />
          <Text>
            ¿Necesitas ayuda?{' '}
            <Anchor component={Link} to={paths.help} fw={600} data-testid="login-help">
              Ir a Ayuda
            </Anchor>
          </Text>
        </Stack>
      </div>
    </Container>
  );
}

function useEnter() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [leaving, setLeaving] = useState(false);
  const now = (session: SessionView, destination: string) => {
    setLeaving(true);
    startSession(queryClient, session);
    void navigate(destination, { replace: true });
  };
  const afterPause = (session: SessionView, destination: string) => {
    setLeaving(true);
    startSession(queryClient, session);
    window.setTimeout(() => void navigate(destination, { replace: true }), signupPauseMs);
  };
  return { leaving, now, afterPause };
}
