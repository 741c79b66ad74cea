/** Stripe's cursor pagination: newest first, `starting_after` or `ending_before` an id. */

import type { SandboxContext } from '../context.ts';
import { invalidRequest } from '../server/errors.ts';
import type { TimeRange } from '../server/parameters.ts';
import type { Kind, Kinds, ListQuery } from '../storage.ts';

export interface Page<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  url: string;
}

interface PageInput {
  limit?: number | undefined;
  starting_after?: string | undefined;
  ending_before?: string | undefined;
  created?: TimeRange | undefined;
}

const LIMIT_DEFAULT = 10;
const LIMIT_MAX = 100;

export function pageOf<K extends Kind>(
  context: SandboxContext,
  kind: K,
  url: string,
  input: PageInput,
  filter: Pick<ListQuery, 'equal' | 'types' | 'where'> = {},
): Page<Kinds[K]> {
  const limit = input.limit ?? LIMIT_DEFAULT;
  if (limit < 1 || limit > LIMIT_MAX) {
    throw invalidRequest(`This value must be between 1 and ${LIMIT_MAX}.`, { param: 'limit' });
  }
  if (input.starting_after && input.ending_before) {
    throw invalidRequest('You may only specify one of these parameters: starting_after, ending_before.', {
      code: 'parameters_exclusive',
      param: 'starting_after',
    });
  }
  try {
    const { data, hasMore } = context.storage.list(kind, {
      ...filter,
      limit,
      ...(input.created ? { created: input.created } : {}),
      ...(input.starting_after ? { startingAfter: input.starting_after } : {}),
      ...(input.ending_before ? { endingBefore: input.ending_before } : {}),
    });
    return { object: 'list', data, has_more: hasMore, url };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const param = error.message as 'starting_after' | 'ending_before';
    const message = `No such ${kind.replaceAll('_', ' ')}: '${input[param]}'`;
    throw invalidRequest(message, { code: 'resource_missing', param });
  }
}
