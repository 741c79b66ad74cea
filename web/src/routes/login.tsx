import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Card, Container, Skeleton, Stack, Tabs, Text, Title } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { IconArrowLeft } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, useState } from 'react';
import { Link, type MetaFunction, Navigate, useLocation, useNavigate, useSearchParams } from 'react-router';
import type { SessionView } from '#core/contracts/http/auth';
import { useSessionEnd } from '../data/query-client.ts';
import { startSession, takesTheirLanguage, useSession } from '../data/session.ts';
import { Benefits } from '../features/account/benefits.tsx';
import { documentLoader, useHydrated } from '../lib/document.ts';
import { addressIn, destinationOf, paths, signupState } from '../lib/paths.ts';
import { publicMeta } from '../lib/public-meta.ts';
import { LazyPart, WhenHydrated } from '../ui/lazy-part.tsx';
import { usePageTitle } from '../ui/page.tsx';
import classes from './login.module.css';

export const meta: MetaFunction = () =>
  publicMeta('login', {
    title: t`Iniciar Sesión`,
    description: t`Entra a Chasqui o regístrate en menos de 2 minutos para enviar dinero a Bolivia y seguirlo en vivo.`,
  });

/** With what they check their fields by: files of their own, for the page stands before they come. */
const LoginForm = lazy(async () => ({ default: (await import('../features/account/login-form.tsx')).LoginForm }));
const SignupForm = lazy(async () => ({ default: (await import('../features/account/signup-form.tsx')).SignupForm }));

const PasswordResetPanel = lazy(async () => ({
  default: (await import('../features/account/password-reset-panel.tsx')).PasswordResetPanel,
}));

const SessionEnded = lazy(() => import('../features/account/session-ended.tsx'));

/** Heights of the forms in px. */
const loginHeight = 398;
const signupHeight = 820;

/** The sign-up toast can be read before the page changes. */
const signupPauseMs = 1000;

const titles = {
  login: { tab: msg`Iniciar Sesión`, heading: msg`Qué bueno verte de nuevo` },
  signup: { tab: msg`Registrarse`, heading: msg`Tu familia, a un envío de distancia` },
  recover: { tab: msg`Recuperar contraseña`, heading: msg`Vuelve a entrar en un minuto` },
} as const;
type View = keyof typeof titles;

/** Login and sign-up: one page, two tabs; the address decides which is open, and whether the panel for a forgotten password is. */
export default function LoginPage() {
  const [search, setSearch] = useSearchParams();
  const { state } = useLocation();
  const session = useSession();
  const enter = useEnter();
  // The page was rendered without its query.
  const view = useHydrated() ? viewOf(search, state) : 'login';
  const ended = useSessionEnd((end) => end.unasked);
  /** The address as typed in the form or the panel, whichever stood here before; null before either. */
  const [typed, setTyped] = useState<string | null>(null);
  usePageTitle(i18n._(titles[view].tab));
  if (session.data && !enter.leaving) return <Navigate to={destinationOf(search)} replace />;
  const open = (next: View) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        for (const name of ['signup', 'recover'] as const) {
          if (name === next) after.set(name, 'true');
          else after.delete(name);
        }
        return after;
      },
      // Back from the panel is back to the form.
      { replace: next !== 'recover' },
    );
  const swap = (next: View, email: string) => {
    setTyped(email);
    open(next);
  };
  return (
    <Container size={1080} px={{ base: 'md', sm: 'lg' }} py={{ base: 'lg', md: 56 }}>
      <div className={classes.columns}>
        <Card shadow="md" padding="lg">
          <Stack>
            <Anchor component={Link} to={paths.home} fz="sm" py={4} style={{ alignSelf: 'flex-start' }}>
              <IconArrowLeft size={16} aria-hidden style={{ verticalAlign: '-3px' }} /> <Trans>Volver al inicio</Trans>
            </Anchor>
            <Tabs
              value={view === 'signup' ? 'signup' : 'login'}
              onChange={(tab) => open(tab as View)}
              keepMounted={false}
            >
              <Tabs.List grow mb="md">
                <Tabs.Tab value="login" data-testid="login-tab" fz="md">
                  <Trans>Iniciar Sesión</Trans>
                </Tabs.Tab>
                <Tabs.Tab value="signup" data-testid="signup-tab" fz="md">
                  <Trans>Registrarse</Trans>
                </Tabs.Tab>
              </Tabs.List>
              {ended && (
                <LazyPart missing={null}>
                  <SessionEnded />
                </LazyPart>
              )}
              <Tabs.Panel value="login">
                <WhenHydrated pending={<Skeleton height={loginHeight} />}>
                  {view === 'recover' ? (
                    <PasswordResetPanel email={typed ?? ''} onClose={(email) => swap('login', email)} />
                  ) : (
                    <LoginForm
                      email={typed ?? ''}
                      returned={typed !== null}
                      onEntered={(opened) => enter.now(opened, destinationOf(search))}
                      onForgot={(email) => swap('recover', email)}
                    />
                  )}
                </WhenHydrated>
              </Tabs.Panel>
              <Tabs.Panel value="signup">
                <WhenHydrated pending={<Skeleton height={signupHeight} />}>
                  <SignupForm onEntered={(opened) => enter.afterPause(opened, destinationOf(search))} />
                </WhenHydrated>
              </Tabs.Panel>
            </Tabs>
          </Stack>
        </Card>
        <Stack gap="xl">
          <div>
            <Title order={1}>{i18n._(titles[view].heading)}</Title>
            <Text c="dimmed" mt="xs">
              <Trans>Envía desde cualquier lugar y sigue tu dinero hasta que llega a Bolivia.</Trans>
            </Text>
          </div>
          <Benefits />
          <Text>
            <Trans>
              ¿Necesitas ayuda?{' '}
              <Anchor component={Link} to={paths.help} fw={600} data-testid="login-help">
                Ir a Ayuda
              </Anchor>
            </Trans>
          </Text>
        </Stack>
      </div>
    </Container>
  );
}

/** Whoever comes for a first transfer (`signupState`) has no account yet. */
function viewOf(search: URLSearchParams, state: unknown): View {
  if (search.get('signup') === 'true' || state === signupState) return 'signup';
  return search.get('recover') === 'true' ? 'recover' : 'login';
}

function useEnter() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [leaving, setLeaving] = useState(false);
  const leave = useTimeout((destination: string) => void navigate(destination, { replace: true }), signupPauseMs);
  const now = (session: SessionView, destination: string) => {
    setLeaving(true);
    startSession(queryClient, session);
    if (takesTheirLanguage(session)) documentLoader.open(addressIn(session.user.locale, destination));
    else void navigate(destination, { replace: true });
  };
  const afterPause = (session: SessionView, destination: string) => {
    setLeaving(true);
    startSession(queryClient, session);
    leave.start(destination);
  };
  return { leaving, now, afterPause };
}
