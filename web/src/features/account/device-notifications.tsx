import { t } from '@lingui/core/macro';
import { List, Stack, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type DeviceNotifications, pushQuery, useSetPush } from '../../data/push.ts';
import { PushRefusal, type PushState, pushRefusalText, pushState } from '../../lib/push.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { LoadingRows } from '../../ui/states.tsx';

/** Notifications on this very device: on or off, or what they need first. */
export default function DeviceNotificationsSection() {
  const query = useQuery(pushQuery);
  return (
    <QueryView query={query} loading={<LoadingRows rows={1} height={72} />}>
      {(facts) => <Device facts={facts} />}
    </QueryView>
  );
}

function Device({ facts }: { facts: DeviceNotifications }) {
  const { mutate, isPending, variables, error } = useSetPush();
  const state = pushState(facts);
  // The reasons below say it better.
  const failed = error instanceof PushRefusal && error.why === 'blocked' && state === 'blocked' ? null : error;
  const { publicKey } = facts;
  const canSwitch = publicKey !== null && (state === 'on' || state === 'off');
  return (
    <Stack gap="md" data-testid="device-notifications" data-state={state}>
      <Switch
        checked={isPending ? variables.on : state === 'on'}
        disabled={!canSwitch}
        onChange={(event) => canSwitch && mutate({ on: event.currentTarget.checked, publicKey })}
        label={t`Avisarme en este dispositivo`}
        description={t`Cada vez que cambia un envío tuyo. Sin nombres ni montos: se puede leer con la pantalla bloqueada.`}
        data-testid="device-notifications-switch"
      />
      <div role="status">
        <Standing state={state} {...facts} />
      </div>
      {failed && (
        <Text fz="sm" c="var(--cq-bad)" role="alert">
          {pushRefusalText(failed)}
        </Text>
      )}
    </Stack>
  );
}

function Standing({ state, failing, isApplePhone }: DeviceNotifications & { state: PushState }): ReactNode {
  switch (state) {
    case 'unavailable':
      return <Reason>{t`Por ahora no enviamos avisos a dispositivos. Tus avisos siguen llegando por correo.`}</Reason>;
    case 'unsupported':
      return (
        <Reason>
          {t`Este navegador no puede mostrar avisos, tampoco en una ventana privada. Prueba con una versión reciente de Chrome, Edge, Firefox o Safari.`}
        </Reason>
      );
    case 'needs_home_screen':
      return (
        <Steps lead={t`En iPhone y iPad los avisos llegan cuando Chasqui está en la pantalla de inicio:`}>
          <List.Item>{t`Toca Compartir en la barra de Safari.`}</List.Item>
          <List.Item>{t`Elige «Añadir a pantalla de inicio».`}</List.Item>
          <List.Item>{t`Abre Chasqui desde ahí, entra y vuelve a esta página.`}</List.Item>
        </Steps>
      );
    case 'blocked':
      return (
        <Steps lead={t`Este navegador tiene bloqueados los avisos de Chasqui. Para permitirlos:`}>
          {isApplePhone ? (
            <List.Item>{t`Abre Ajustes, entra en Notificaciones, luego en Chasqui, y permítelas.`}</List.Item>
          ) : (
            <>
              <List.Item>{t`Toca el icono que está a la izquierda de la dirección de esta página.`}</List.Item>
              <List.Item>{t`En los permisos del sitio, cambia Notificaciones a «Permitir».`}</List.Item>
            </>
          )}
          <List.Item>{t`Vuelve aquí y enciéndelos.`}</List.Item>
        </Steps>
      );
    case 'on':
      return failing ? (
        <Text fz="sm" c="var(--cq-wait)">
          {t`El último aviso no llegó a este dispositivo. Lo intentamos durante un día; si sigue así, apágalos y enciéndelos otra vez.`}
        </Text>
      ) : (
        <Text fz="sm" c="var(--cq-good)">
          {t`Encendidos en este dispositivo hasta que cierres la sesión.`}
        </Text>
      );
    default:
      return null;
  }
}

const Reason = ({ children }: { children: ReactNode }) => <Text fz="sm">{children}</Text>;

function Steps({ lead, children }: { lead: string; children: ReactNode }) {
  return (
    <Stack gap="xs">
      <Text fz="sm">{lead}</Text>
      <List type="ordered" size="sm" spacing={4}>
        {children}
      </List>
    </Stack>
  );
}
