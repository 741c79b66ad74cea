import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Card, Skeleton, Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconLinkOff } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, type MetaFunction } from 'react-router';
import { sessionKey } from '../data/query-keys.ts';
import { emailLinkKey } from '../data/sender-query-keys.ts';
import { useTokenOfAddress } from '../features/account/address-token.ts';
import { refusedField } from '../lib/form-failure.ts';
import { formatMoment } from '../lib/format/dates.ts';
import { ApiFailure, call, errorMessage } from '../lib/http.ts';
import { paths } from '../lib/paths.ts';
import { tabTitle } from '../lib/public-meta.ts';
import { useSingleMutation } from '../lib/single-mutation.ts';
import { Page } from '../ui/page.tsx';
import { QueryView } from '../ui/query-view.tsx';

export const meta: MetaFunction = () => [{ title: tabTitle(t`Correo de la cuenta`) }];

/** `/correo#token`: where the links of e-mails lead that prove or change an address, or undo a change of the account. */
export default function EmailLinkPage() {
  const token = useTokenOfAddress();
  return (
    <Page title={t`Correo de la cuenta`} size={520}>
      <Card shadow="md">
        {token ? (
          <WithLink key={token} token={token} />
        ) : (
          <DeadLink message={t`Falta el enlace. Ábrelo otra vez desde tu correo.`} />
        )}
      </Card>
    </Page>
  );
}

/** Says what the link does, and does it when a button is pressed: programs that look into mailboxes open links, too. */
function WithLink({ token }: { token: string }) {
  const queryClient = useQueryClient();
  const link = useQuery({
    queryKey: emailLinkKey(token),
    queryFn: ({ signal }) => call('emailLink', { body: { token }, signal }),
    gcTime: 0,
  });
  const use = useSingleMutation({
    mutationFn: () => call('useEmailLink', { body: { token } }),
    // Should it have been this person's browser, its session ended or has another address.
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sessionKey }),
  });
  const dead = deadMessage(use.error) ?? deadMessage(link.error);
  if (dead !== null) return <DeadLink message={dead} />;
  return (
    <QueryView query={link} loading={<Skeleton height={180} role="status" aria-label={t`Cargando`} />}>
      {({ purpose, email, since }) =>
        use.isSuccess ? (
          <Done purpose={purpose} email={email} />
        ) : (
          <Stack>
            <Text style={{ overflowWrap: 'anywhere' }}>
              {purpose === 'prove' ? (
                <Trans>
                  Confirmas que <strong>{email}</strong> es tu correo. Desde entonces puedes pagar tus envíos.
                </Trans>
              ) : purpose === 'confirm' ? (
                <Trans>
                  Tu cuenta pasará a usar <strong>{email}</strong>. Cerraremos tus sesiones en los demás equipos.
                </Trans>
              ) : (
                <Trans>
                  Deshacemos el cambio que no hiciste y los que vinieron después. Tu cuenta usará{' '}
                  <strong>{email}</strong>, cerraremos todas las sesiones y la contraseña de ahora dejará de valer:
                  después pones una nueva.
                </Trans>
              )}
            </Text>
            {since !== null && <RestoredFactors since={since} />}
            {use.error && (
              <Text fz="sm" c="var(--cq-bad)" role="alert">
                {errorMessage(use.error)}
              </Text>
            )}
            <Button disabled={use.isPending} onClick={() => use.mutate()} data-testid="email-link-use">
              {purpose === 'undo' ? t`Recuperar mi cuenta` : t`Confirmar esta dirección`}
            </Button>
          </Stack>
        )
      }
    </QueryView>
  );
}

/** Which second factors the account has once the change is undone. */
function RestoredFactors({ since }: { since: string }) {
  const moment = formatMoment(since);
  return (
    <Text fz="sm" c="dimmed" data-testid="email-link-since">
      <Trans>
        Las llaves de acceso, la aplicación de verificación y los códigos de recuperación vuelven a ser los del {moment}
        . Los que añadiste después los creas otra vez.
      </Trans>
    </Text>
  );
}

type Purpose = 'prove' | 'confirm' | 'undo';

/** Where one goes from there. Public addresses are those of the language that is read. */
const afterwards = (purpose: Purpose) =>
  ({
    prove: [paths.dashboard, t`Ir a Mi Panel`],
    confirm: [paths.account, t`Ir a mi cuenta`],
    undo: [paths.recover, t`Poner una contraseña nueva`],
  })[purpose] as [path: string, label: string];

function Done({ purpose, email }: { purpose: Purpose; email: string }) {
  const [path, label] = afterwards(purpose);
  return (
    <Stack data-testid="email-link-done">
      <Alert color="green" icon={<IconCircleCheck aria-hidden />} role="status">
        {purpose === 'prove' ? (
          <Trans>Listo: {email} está confirmado. Si estabas pagando en otro equipo, sigue allí.</Trans>
        ) : purpose === 'undo' ? (
          <Trans>Listo: tu cuenta con {email} es otra vez tuya. Pon ahora una contraseña nueva.</Trans>
        ) : (
          <Trans>Listo: desde ahora entras con {email} y te escribimos allí.</Trans>
        )}
      </Alert>
      <Button component={Link} to={path}>
        {label}
      </Button>
    </Stack>
  );
}

/** Why a link opens nothing (any more), when that is what a call failed of; null otherwise. */
function deadMessage(error: unknown): string | null {
  if (!(error instanceof ApiFailure)) return null;
  return refusedField(error, 'token') ?? (error.code === 'email_link_dead' ? error.userMessage : null);
}

function DeadLink({ message }: { message: string }) {
  return (
    <Stack>
      <Alert color="yellow" icon={<IconLinkOff aria-hidden />} role="alert" data-testid="dead-link">
        {message}
      </Alert>
      <Button component={Link} to={paths.account}>
        <Trans>Ir a mi cuenta</Trans>
      </Button>
    </Stack>
  );
}
