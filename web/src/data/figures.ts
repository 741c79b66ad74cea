import { queryOptions } from '@tanstack/react-query';
import { adminCall } from '../lib/admin-http.ts';
import { figuresKey } from './admin-query-keys.ts';

/** How often (ms) the figures are asked for while somebody looks at them: ages go on without any push. */
const everyMs = 10_000;

/** What is due, held, owed and open at this moment. */
export const figuresQuery = queryOptions({
  queryKey: figuresKey,
  queryFn: ({ signal }) => adminCall('operatingFigures', { signal }),
  refetchInterval: everyMs,
});
