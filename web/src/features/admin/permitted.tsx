import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { type AdminRole } from '#core/accounts/admin-roles';
import { isPermitted, type Permission, permissions } from '#core/accounts/roles';
import { useSession } from '../../data/session.ts';

/** What the signed-in admin's role allows, by the matrix that the server enforces. */
export function useMay(): (permission: Permission) => boolean {
  const role = useSession().data?.user.adminRole;
  return (permission) => isPermitted(role, permission);
}

export const roleLabels: Readonly<Record<AdminRole, MessageDescriptor>> = {
  support: msg`Soporte`,
  reviewer: msg`Revisión`,
  treasurer: msg`Tesorería`,
  owner: msg`Dueño`,
};

/** What a role's admin may do; in its place for everybody else who may. */
export function Permitted({ to, children }: { to: Permission; children: ReactNode }) {
  const may = useMay();
  if (may(to)) return children;
  const roles = permissions[to].map((role) => i18n._(roleLabels[role])).join(', ');
  return (
    <Text fz="sm" c="dimmed" data-testid={`not-permitted-${to}`}>
      <Trans>Tu rol no lo permite. Lo hace: {roles}.</Trans>
    </Text>
  );
}
