import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Card, Skeleton, Stack, Text } from '@mantine/core';
import { IconLinkOff } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, type MetaFunction, useNavigate } from 'react-router';
import { sessionKey } from '../data/query-keys.ts';
import { passwordResetKey } from '../data/sender-query-keys.ts';
import { useTokenOfAddress } from '../features/account/address-token.ts';
import { deadLinkMessage, NewPasswordForm } from '../features/account/new-password-form.tsx';
import { call } from '../lib/http.ts';
import { paths } from '../lib/paths.ts';
import { tabTitle } from '../lib/public-meta.ts';
import { toastDone } from '../lib/toast.ts';
import { Page } from '../ui/page.tsx';
import { QueryView } from '../ui/query-view.tsx';

export const meta: MetaFunction = () => [{ title: tabTitle(t`Nueva contraseña`) }];

/** `/recuperar#token`: where the link of the password reset e-mail leads. */
export default function NewPasswordPage() {
  const token = useTokenOfAddress();
  return (
    <Page title={t`Nueva contraseña`} size={520}>
      <Card shadow="md">
        {token ? (
          <WithLink key={token} token={token} />
        ) : (
          <DeadLink message={t`Falta el enlace. Ábrelo otra vez desde tu correo o pide uno nuevo.`} />
        )}
      </Card>
    </Page>
  );
}

function WithLink({ token }: { token: string }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const link = useQuery({
    queryKey: passwordResetKey(token),
    queryFn: ({ signal }) => call('recoveryLink', { body: { token }, signal }),
    gcTime: 0,
  });
  const [died, setDied] = useState<string | null>(null);
  if (died !== null) return <DeadLink message={died} />;
  const dead = deadLinkMessage(link.error);
  return (
    <QueryView
      query={link}
      loading={<Skeleton height={280} role="status" aria-label={t`Cargando`} />}
      {...(dead !== null && { failed: () => <DeadLink message={dead} /> })}
    >
      {({ email, factorsChanged }) => (
        <Stack>
          <Text style={{ overflowWrap: 'anywhere' }}>
            <Trans>
              Para la cuenta <strong>{email}</strong>. Al guardarla cerramos tus sesiones en todos tus equipos.
            </Trans>
          </Text>
          <NewPasswordForm
            token={token}
            email={email}
            factorsChanged={factorsChanged}
            onChanged={async () => {
              // Should it have been this person's browser, it is signed out as well.
              await queryClient.invalidateQueries({ queryKey: sessionKey });
              toastDone(t`Contraseña cambiada`, t`Inicia sesión con tu contraseña nueva.`);
              await navigate(paths.login, { replace: true });
            }}
            onDeadLink={setDied}
          />
        </Stack>
      )}
    </QueryView>
  );
}

function DeadLink({ message }: { message: string }) {
  return (
    <Stack>
      <Alert color="yellow" icon={<IconLinkOff aria-hidden />} role="alert" data-testid="dead-link">
        {message}
      </Alert>
      <Button component={Link} to={paths.recover} data-testid="dead-link-new">
        <Trans>Pedir un enlace nuevo</Trans>
      </Button>
    </Stack>
  );
}
