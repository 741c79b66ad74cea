import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type AdminRole, adminRoles } from '#core/accounts/admin-roles';
import type { AdminUserDetail } from '#core/contracts/http/admin-users';
import { useDecideRole, useSetRole } from '../../../data/admin-users.ts';
import { useSession } from '../../../data/session.ts';
import { formatMoment } from '../../../lib/format/dates.ts';
import { errorMessage } from '../../../lib/http.ts';
import { toastDone } from '../../../lib/toast.ts';
import { Section } from '../admin-drawer.tsx';
import { Permitted, roleLabels } from '../permitted.tsx';

const meanings: Readonly<Record<AdminRole, ReturnType<typeof msg>>> = {
  support: msg`Ve envíos, personas, casos y reclamos con los datos personales ocultos, y escribe notas.`,
  reviewer: msg`Decide sobre envíos, casos, reclamos y bloqueos.`,
  treasurer: msg`Decide sobre las tasas y cuadra los libros.`,
  owner: msg`Todo, también los roles, los webhooks, la auditoría y las colas.`,
};

/** Which role a person has in the panel, and who may change it: two owners, never their own; one takes it away. */
export function UserRole({ user }: { user: AdminUserDetail }) {
  const me = useSession().data?.user.id;
  return (
    <Section title={t`Rol en la administración`}>
      <Stack gap="sm">
        <Text data-testid="user-role-now">{user.adminRole ? i18n._(roleLabels[user.adminRole]) : t`Ninguno`}</Text>
        {user.secondPersonFrom && <NotYetSecond from={formatMoment(user.secondPersonFrom)} />}
        <Permitted to="setRole">
          {user.id === me ? (
            <Text fz="sm" c="dimmed">
              <Trans>Tu propio rol lo cambia otra persona con el rol de dueño.</Trans>
            </Text>
          ) : user.closedAt || user.blockedAt ? (
            <Text fz="sm" c="dimmed">
              <Trans>Una cuenta cerrada o bloqueada no puede tener un rol.</Trans>
            </Text>
          ) : (
            <>
              {user.roleRequest && (
                <WaitingRole user={user} request={user.roleRequest} isOwn={user.roleRequest.requestedById === me} />
              )}
              <RoleForm key={String(user.adminRole)} user={user} />
            </>
          )}
        </Permitted>
      </Stack>
    </Section>
  );
}

function NotYetSecond({ from }: { from: string }) {
  return (
    <Text fz="sm" c="dimmed" data-testid="user-role-new">
      <Trans>Rol nuevo: hasta el {from} no puede ser la segunda persona de una decisión.</Trans>
    </Text>
  );
}

/** A role that waits for a second owner. Who requested it can only take it back. */
function WaitingRole(props: {
  user: AdminUserDetail;
  request: NonNullable<AdminUserDetail['roleRequest']>;
  isOwn: boolean;
}) {
  const { user, request, isOwn } = props;
  const decide = useDecideRole(user.id);
  const role = i18n._(roleLabels[request.role]);
  const { requestedBy } = request;
  const at = formatMoment(request.at);
  const answer = (approve: boolean) =>
    decide.mutate(
      { role: request.role, approve },
      { onSuccess: () => toastDone(approve ? t`Rol confirmado` : t`Rol rechazado`, user.name) },
    );
  return (
    <Alert color="yellow" title={t`Un rol espera a otra persona`} data-testid="user-role-waiting">
      <Stack gap="sm">
        <Text fz="sm">
          {isOwn ? (
            <Trans>
              Pediste el rol {role} el {at}. Lo tiene que confirmar otra persona con el rol de dueño.
            </Trans>
          ) : (
            <Trans>
              {requestedBy} pidió el rol {role} el {at}. Confírmalo solo si sabes quién es y para qué lo necesita.
            </Trans>
          )}
        </Text>
        {decide.error && (
          <Text fz="sm" c="var(--cq-bad)" role="alert">
            {errorMessage(decide.error)}
          </Text>
        )}
        <Group gap="sm">
          {!isOwn && (
            <Button disabled={decide.isPending} onClick={() => answer(true)} data-testid="user-role-confirm">
              <Trans>Confirmar el rol</Trans>
            </Button>
          )}
          <Button
            variant="default"
            disabled={decide.isPending}
            onClick={() => answer(false)}
            data-testid="user-role-decline"
          >
            {isOwn ? t`Retirar el pedido` : t`Rechazar`}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

const none = 'none';

/** Nothing changes until the choice is confirmed. */
function RoleForm({ user: { id, name, adminRole } }: { user: AdminUserDetail }) {
  const known = adminRole ?? none;
  const [opened, setOpened] = useState(false);
  const [chosen, setChosen] = useState<string>(known);
  const change = useSetRole(id);
  if (!opened)
    return (
      <Button
        variant="default"
        style={{ alignSelf: 'flex-start' }}
        onClick={() => setOpened(true)}
        data-testid="user-role-open"
      >
        <Trans>Cambiar el rol</Trans>
      </Button>
    );
  const role = adminRoles.find((one) => one === chosen) ?? null;
  const save = () =>
    change.mutate(role, {
      onSuccess: ({ user }) => {
        toastDone(user.roleRequest ? t`Rol pedido: lo confirma otra persona` : t`Rol cambiado`, name);
        setOpened(false);
      },
    });
  return (
    <Stack gap="sm">
      <Radio.Group
        label={t`Qué puede hacer`}
        description={t`Otra persona con el rol de dueño lo confirma; quitar permisos vale enseguida. Se cierran sus sesiones, y se avisa por correo a quienes tienen el rol de dueño.`}
        value={chosen}
        onChange={setChosen}
      >
        <Stack gap="xs" mt="xs">
          {adminRoles.map((one) => (
            <Radio
              key={one}
              value={one}
              label={i18n._(roleLabels[one])}
              description={i18n._(meanings[one])}
              data-testid={`user-role-${one}`}
            />
          ))}
          <Radio value={none} label={t`Ninguno`} description={t`No entra en el panel.`} data-testid="user-role-none" />
        </Stack>
      </Radio.Group>
      {change.error && (
        <Alert color="red" role="alert">
          {errorMessage(change.error)}
        </Alert>
      )}
      <Group gap="sm">
        <Button disabled={chosen === known} loading={change.isPending} onClick={save} data-testid="user-role-save">
          <Trans>Guardar el rol</Trans>
        </Button>
        <Button variant="default" onClick={() => setOpened(false)} disabled={change.isPending}>
          <Trans>Cancelar</Trans>
        </Button>
      </Group>
    </Stack>
  );
}
