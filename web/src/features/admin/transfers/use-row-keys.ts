import { useWindowEvent } from '@mantine/hooks';
import type { RefObject } from 'react';

/**
 * Keys of a list of rows that say which transfer they are (`data-row-id`): j and k move the focus, others act on the row that has it.
 * Only while nobody types, and not with a modifier.
 */
export function useRowKeys({
  list,
  active,
  actions,
}: {
  list: RefObject<HTMLElement | null>;
  /** Asked at each key: whether the keys are this list's now. */
  active: () => boolean;
  /** By key; `id` is that of the row with the focus, null where none has it. */
  actions: Readonly<Record<string, (id: string | null) => void>>;
}): void {
  useWindowEvent('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isElsewhere(event.target) || !active()) return;
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-row-id]') ?? [])];
    if (rows.length === 0) return;
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    const step = { j: 1, k: -1 }[event.key];
    const act = actions[event.key];
    if (step === undefined && !act) return;
    event.preventDefault();
    if (act) return act(rows[at]?.dataset.rowId ?? null);
    const next = rows[Math.min(Math.max(at < 0 ? 0 : at + (step ?? 0), 0), rows.length - 1)];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
  });
}

/** Whether the focus is in a row of the list of transfers, which has these keys then. */
export const isInTransferList = () => document.activeElement?.closest('[data-testid=admin-row]') != null;

/** Whether keys are typed into something, or are those of a dialog above the list. */
function isElsewhere(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable || target.matches('input, textarea, select') || target.closest('[role=dialog]') != null
  );
}
