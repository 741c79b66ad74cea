import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Card, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';

import type { SessionView } from '#core/contracts/http/auth';
import { testUser } from '#core/contracts/test-user';
import { ApiFailure, call } from '../../lib/http.ts';
import { useSingleMutation } from '../../lib/single-mutation.ts';

/** One button that signs the test user in, or up where there is none yet. */
export function TestLogin({ onEntered }: { onEntered: (session: SessionView) => void }) {
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
