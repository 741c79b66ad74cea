import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { List, Stack, Switch, Text, Title } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type OptionalEmail, optionalEmails } from '#core/notifications/email-preferences';
import { emailPreferencesQuery, useSetEmailPreferences } from '../../data/account.ts';
import { errorMessage } from '../../lib/http.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { LoadingRows } from '../../ui/states.tsx';

const optional = {
  transfer_held: [msg`Recibimos tu envío`, msg`Tu tarjeta tiene el monto reservado y empezamos a revisarlo.`],
  transfer_approved: [msg`Aprobamos tu envío`, msg`Cobramos tu tarjeta y pedimos el depósito al banco.`],
  transfer_received: [msg`Tu familia ya recibió`, msg`Lo confirmaron en la página de seguimiento.`],
  repeat_reminder: [msg`Tus envíos que se repiten`, msg`Llegó su día, con la tasa de hoy.`],
  rate_alert: [msg`Tus alertas de tasa`, msg`La tasa llegó al valor que pediste.`],
} as const satisfies Record<OptionalEmail, unknown>;

const required = [
  [msg`Depositado`, msg`Es tu comprobante: lleva la referencia del banco.`],
  [msg`Devoluciones, rechazos y cancelaciones`, msg`Dicen qué pasó con tu dinero.`],
  [msg`Falta algo de tu parte`, msg`Sin tu respuesta el dinero no llega: falta el destinatario o la cuenta no sirve.`],
  [msg`Seguridad de tu cuenta`, msg`Así notas si otra persona intenta entrar.`],
] as const;

/** Which e-mails a person gets; those that cannot be switched off are a list. A switch is kept as soon as it is moved. */
export default function EmailPreferences() {
  const query = useQuery(emailPreferencesQuery);
  return (
    <Stack gap="md">
      <QueryView query={query} loading={<LoadingRows rows={4} height={48} />}>
        {({ muted }) => <Optional muted={muted} />}
      </QueryView>
      <Title order={3} fz="h4">
        <Trans>Siempre te los enviamos</Trans>
      </Title>
      <List spacing="md" size="sm" center={false} icon={<IconMail size={20} aria-hidden color="var(--cq-good)" />}>
        {required.map(([title, why]) => (
          <List.Item key={title.id} data-testid="email-required">
            <Text fz="sm">{i18n._(title)}</Text>
            <Text fz="xs" c="dimmed">
              {i18n._(why)}
            </Text>
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}

function Optional({ muted }: { muted: readonly OptionalEmail[] }) {
  const save = useSetEmailPreferences();
  // What is on its way shows at once, and goes back when it could not be kept.
  const shown = save.isPending ? save.variables : muted;
  const change = (kind: OptionalEmail, wanted: boolean) =>
    save.mutate(wanted ? shown.filter((one) => one !== kind) : [...shown, kind]);
  return (
    <Stack gap="md">
      {optionalEmails.map((kind) => (
        <Switch
          key={kind}
          checked={!shown.includes(kind)}
          onChange={(event) => change(kind, event.currentTarget.checked)}
          label={i18n._(optional[kind][0])}
          description={i18n._(optional[kind][1])}
          data-testid={`email-${kind}`}
        />
      ))}
      <div role="status">
        {save.isSuccess && (
          <Text fz="sm" c="var(--cq-good)">
            {t`Guardado`}
          </Text>
        )}
      </div>
      {save.error && (
        <Text fz="sm" c="var(--cq-bad)" role="alert">
          {errorMessage(save.error)}
        </Text>
      )}
    </Stack>
  );
}
