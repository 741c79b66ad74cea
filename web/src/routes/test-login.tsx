import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Card, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type MetaFunction, useNavigate } from 'react-router';
import type { SessionView } from '#core/contracts/http/auth';
import { testUser } from '#core/contracts/test-user';
import { startSession } from '../data/session.ts';
import { ApiFailure, call } from '../lib/http.ts';
import { paths } from '../lib/paths.ts';
import { tabTitle } from '../lib/public-meta.ts';
import { useSingleMutation } from '../lib/single-mutation.ts';
import { Page } from '../ui/page.tsx';

export const meta: MetaFunction = () => [{ title: tabTitle(t`Acceso de prueba`) }];

/** Signs the test user in and goes to the payment page. */
export default function TestLoginPage() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return (
    <Page title={t`Acceso de prueba`} lead={t`Solo existe en el modo de prueba.`} size={608}>
      <TestLogin
        onEntered={(session) => {
          startSession(queryClient, session);
          void navigate(paths.stripe);
        }}
      />
    </Page>
  );
}

/** One button that signs the test user in, or up where there is none yet. */
function TestLogin({ onEntered }: { onEntered: (session: SessionView) => void }) {
  const enter = useSingleMutation({ mutationFn: enterAsTestUser, onSuccess: onEntered });
  return (
    <Card maw={560} w="100%">
      <Stack>
        <Text>
          <Trans>
            Entras como <strong>{testUser.email}</strong>. Si la cuenta todavía no existe, se crea.
          </Trans>
        </Text>
        {enter.error && (
          <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert" data-testid="test-login-problem">
            <Trans>No se pudo iniciar sesión ni crear una cuenta de prueba</Trans>
          </Alert>
        )}
        <Button size="lg" onClick={() => enter.mutate()} disabled={enter.isPending} data-testid="test-login">
          {enter.isPending ? t`Iniciando sesión...` : t`Entrar como usuario de prueba`}
        </Button>
      </Stack>
    </Card>
  );
}

async function enterAsTestUser(): Promise<SessionView> {
  const { name, email, password } = testUser;
  try {
    return await call('login', { body: { email, password } });
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.code !== 'invalid_credentials') throw error;
    return call('register', { body: { name, email, password, acceptedTerms: true } });
  }
}
