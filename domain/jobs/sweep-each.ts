import type { JobContext } from './job-context.ts';

/**
 * Handles the items of a sweep one after another. An item that fails is logged and does not stop the others; the next sweep retries it.
 * `what`: the item's name for the log. @throws AggregateError at the end, with the failures, so that the sweep's job shows them.
 */
export async function sweepEach<Item extends { readonly id: string }>(
  { log }: Pick<JobContext, 'log'>,
  what: string,
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      log.error({ err: error, id: item.id, item: what }, 'an item of a sweep failed');
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} of ${items.length}: ${what}`);
}
