import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { DeviceSession } from '#core/contracts/http/account';
import { sessionsQuery, useEndSession } from '../../data/account.ts';
import { formatMoment } from '../../lib/format/dates.ts';
import { Saved } from '../../ui/checked-form.tsx';
import { PagedListView } from '../../ui/paged-list-view.tsx';
import { LoadingRows } from '../../ui/states.tsx';
import { deviceName } from './device-name.ts';

/** Where the person is signed in, with a way to end each session but this one. */
export default function DeviceSessions() {
  const list = useInfiniteQuery(sessionsQuery);
  const end = useEndSession();
  const top = useRef<HTMLDivElement>(null);
  const finish = (id: string | null) =>
    // The button is gone with its row: the keyboard goes on at the list.
    end.mutate(id, { onSuccess: () => top.current?.focus({ preventScroll: true }) });
  const current = list.data?.pages[0]?.current;
  const others = list.data?.pages[0]?.items.length ?? 0;
  return (
    <Stack gap="md" ref={top} tabIndex={-1} style={{ outline: 'none' }}>
      {current && <Row session={current} isThis />}
      <PagedListView
        query={list}
        loading={<LoadingRows rows={2} height={72} />}
        empty={
          <Text c="dimmed" fz="sm">
            <Trans>No tienes la sesión abierta en ningún otro equipo.</Trans>
          </Text>
        }
        moreTestid="sessions-more"
      >
        {(items) =>
          items.map((session) => (
            <Row key={session.id} session={session} busy={end.isPending} onEnd={() => finish(session.id)} />
          ))
        }
      </PagedListView>
      {others > 0 && (
        <Button
          variant="default"
          disabled={end.isPending}
          onClick={() => finish(null)}
          data-testid="sessions-end-others"
        >
          <Trans>Cerrar todas las demás</Trans>
        </Button>
      )}
      <Saved
        done={end.isSuccess ? (end.variables === null ? t`Cerramos las demás sesiones.` : t`Sesión cerrada.`) : null}
        error={end.error}
      />
    </Stack>
  );
}

function Row(props: { session: DeviceSession; isThis?: true; busy?: boolean; onEnd?: () => void }) {
  const { session, isThis, busy, onEnd } = props;
  const name = deviceName(session);
  const [since, seen] = [formatMoment(session.createdAt), formatMoment(session.lastSeenAt)];
  const Icon = /Android|iPhone|iPad/.test(session.system ?? '') ? IconDeviceMobile : IconDeviceDesktop;
  return (
    <Group wrap="nowrap" align="start" gap="sm" data-testid={isThis ? 'session-current' : 'session'}>
      <Icon size={24} stroke={1.7} aria-hidden style={{ flex: 'none' }} />
      <div style={{ flex: 1, minWidth: 0 }}>
        <Group gap="xs">
          <Text fw={600}>{name}</Text>
          {isThis && (
            <Badge variant="light">
              <Trans>Este equipo</Trans>
            </Badge>
          )}
        </Group>
        <Text fz="sm" c="dimmed" className="cq-num">
          <Trans>Desde el {since}</Trans>
          <br />
          <Trans>Última vez: {seen}</Trans>
        </Text>
      </div>
      {onEnd && (
        <Button
          variant="subtle"
          size="compact-md"
          disabled={busy}
          onClick={onEnd}
          aria-label={t`Cerrar la sesión de ${name}`}
          data-testid="session-end"
        >
          <Trans>Cerrar</Trans>
        </Button>
      )}
    </Group>
  );
}
