import { isPermitted, type Permission } from '#core/accounts/roles';
import { useSession } from './session.ts';

/** What the signed-in admin's role allows, by the matrix that the server enforces. */
export function useMay(): (permission: Permission) => boolean {
  const role = useSession().data?.user.adminRole;
  return (permission) => isPermitted(role, permission);
}
