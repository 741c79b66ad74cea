import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Group, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { AdminUserDetail } from '#core/contracts/http/admin-users';
import { adminTransferAddress, adminTransfersOf } from '#core/contracts/page-addresses';
import { adminTransfersQuery } from '../../../data/admin-panel.ts';
import { useNoteUser, userQuery } from '../../../data/admin-users.ts';
import { rowsOf } from '../../../data/versioned-collection.ts';
import { adminCall } from '../../../lib/admin-http.ts';
import { formatCalendarDay, formatLaPazMoment } from '../../../lib/format/dates.ts';
import { formatAmount } from '../../../lib/format/money.ts';
import { formatCount } from '../../../lib/format/numbers.ts';
import { CopyValue } from '../../../ui/copy-value.tsx';
import { DataItem, DataList } from '../../../ui/data-list.tsx';
import { Money } from '../../../ui/figures.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { LoadingRows } from '../../../ui/states.tsx';
import { StatusBadge } from '../../shared/status-badge.tsx';
import classes from '../admin.module.css';
import { AdminDrawer, Section } from '../admin-drawer.tsx';
import { AdminNotes } from '../admin-notes.tsx';
import { RevealValue } from '../reveal-value.tsx';
import { adminStatusLabel } from '../transfers/transfer-labels.ts';
import { UserBlock, UserHold, UserSecondFactor } from './user-actions.tsx';
import { UserIdentity } from './user-identity.tsx';
import { Barred, UserBadges } from './user-parts.tsx';
import { UserRole } from './user-role.tsx';

/** Transfers shown; the rest one press away. */
const transfersShown = 5;

/** Everything about one person, beside the list; over the whole screen on a phone. */
export function UserDrawer({ id, close }: { id: string | null; close: () => void }) {
  return (
    <AdminDrawer id={id} title={t`Persona`} locked={false} close={close} testid="user-drawer">
      {(shown) => <Loaded key={shown} id={shown} />}
    </AdminDrawer>
  );
}

function Loaded({ id }: { id: string }) {
  const note = useNoteUser(id);
  return (
    <QueryView query={useQuery(userQuery(id))} loading={<LoadingRows rows={5} height={56} />}>
      {(user) => (
        <Stack gap="lg" className={classes.drawerScroll} data-testid="user-details" data-user-id={id}>
          <Group gap="sm">
            <Text fw={700} fz="lg" style={{ overflowWrap: 'anywhere' }}>
              {user.name}
            </Text>
            <UserBadges user={user} />
          </Group>
          <Barred user={user} />
          <Details user={user} />
          <UserIdentity user={user} />
          <Limits limits={user.limits} />
          <Transfers user={user} />
          <UserSecondFactor user={user} />
          <UserRole user={user} />
          <UserBlock user={user} />
          {user.holds && <UserHold user={user} holds={user.holds} />}
          <AdminNotes notes={user.notes} call={note} testid="user-note" />
        </Stack>
      )}
    </QueryView>
  );
}

function Details({ user }: { user: AdminUserDetail }) {
  const never = t`Nunca`;
  return (
    <Section title={t`Datos`}>
      <DataList values="beside" labelWidth={120}>
        <DataItem label={t`Correo`}>
          <CopyValue label={t`correo`} value={user.email} />
        </DataItem>
        <DataItem label={t`Teléfono`}>
          <RevealValue
            label={t`teléfono`}
            hidden={user.phone ?? ''}
            to="revealPhone"
            reveal={(reason) => adminCall('revealPhone', { params: { id: user.id }, body: { reason } })}
            testid="reveal-phone"
          />
        </DataItem>
        <DataItem label={t`Ciudad`}>{user.city || '—'}</DataItem>
        <DataItem label={t`Nacimiento`}>{user.birthDate ? formatCalendarDay(user.birthDate) : '—'}</DataItem>
        <DataItem label={t`Cuenta desde`}>{formatLaPazMoment(user.createdAt)}</DataItem>
        <DataItem label={t`Última actividad`}>{user.lastActive ? formatLaPazMoment(user.lastActive) : never}</DataItem>
        {user.closedAt && <DataItem label={t`Cerrada`}>{formatLaPazMoment(user.closedAt)}</DataItem>}
      </DataList>
    </Section>
  );
}

function Limits({ limits: { dayLeft, dayLimit, monthLeft, monthLimit } }: Pick<AdminUserDetail, 'limits'>) {
  return (
    <Section title={t`Límites`}>
      <DataList values="beside" labelWidth={120}>
        <DataItem label={t`En 24 horas`}>
          <Left left={dayLeft} limit={dayLimit} />
        </DataItem>
        <DataItem label={t`En 30 días`}>
          <Left left={monthLeft} limit={monthLimit} />
        </DataItem>
      </DataList>
    </Section>
  );
}

function Left({ left, limit }: { left: string; limit: string }) {
  return (
    <Trans>
      Le quedan <Money amount={left} currency="USD" /> de <Money amount={limit} currency="USD" />
    </Trans>
  );
}

/** The newest of their transfers, each a link to its details. */
function Transfers({ user }: { user: AdminUserDetail }) {
  const list = useInfiniteQuery(adminTransfersQuery({ sender: user.id }));
  const [count, total] = [formatCount(user.transactionsCount), formatAmount(user.totalVolume, 'USD')];
  return (
    <Section title={t`Transferencias`}>
      <Text fz="sm" c="dimmed" mb="xs" className="cq-num">
        <Trans>
          {count} pagadas, {total} en total
        </Trans>
      </Text>
      <QueryView query={list} loading={<LoadingRows rows={3} height={40} />}>
        {(pages) => {
          const rows = rowsOf(pages);
          if (rows.length === 0) return <Text c="dimmed">{t`No envió nada todavía.`}</Text>;
          return (
            <Stack gap={8}>
              {rows.slice(0, transfersShown).map((row) => (
                <Group key={row.id} justify="space-between" gap="4px 12px" data-testid="user-transfer">
                  <Anchor component={Link} to={adminTransferAddress(row.id)} underline="always" className="cq-num">
                    {formatLaPazMoment(row.date)}
                  </Anchor>
                  <Group gap="xs" wrap="nowrap" ml="auto">
                    <Money amount={row.amount} currency={row.currency} />
                    <StatusBadge status={row.status} label={adminStatusLabel(row.status)} />
                  </Group>
                </Group>
              ))}
              <Anchor
                component={Link}
                to={adminTransfersOf(user.id)}
                underline="always"
                data-testid="user-all-transfers"
              >
                <Trans>Ver todas en la lista</Trans>
              </Anchor>
            </Stack>
          );
        }}
      </QueryView>
    </Section>
  );
}
