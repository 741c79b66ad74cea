import { infiniteQueryOptions, useQueryClient } from '@tanstack/react-query';
import { adminRoutes } from '#core/contracts/http/admin-routes';
import type { AuditFilter } from '#core/contracts/http/audit';
import { adminCall } from '../lib/admin-http.ts';
import { addressOf } from '../lib/http.ts';
import { askAgain } from '../lib/live.ts';
import { useSingleMutation } from '../lib/single-mutation.ts';
import { auditKeys } from './admin-query-keys.ts';

export type { AuditFilter };

const pageSize = 30;

/** The audit log, the newest first, page by page. */
export const auditQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: auditKeys.list(filter),
    queryFn: ({ pageParam: cursor, signal }) =>
      adminCall('auditLog', { query: { ...filter, cursor, limit: pageSize }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
  });

/** Address of the same entries as a file. */
export const auditFileAddress = (filter: AuditFilter) => addressOf(adminRoutes.exportAudit.path, undefined, filter);

/** Has the server check the chain, which is written in the log itself. */
export function useVerifyAudit() {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (_: undefined) => adminCall('verifyAudit'),
    onSuccess: () => askAgain(queryClient, { queryKey: auditKeys.all }),
  });
}
