import { useWindowEvent } from '@mantine/hooks';
import type { RefObject } from 'react';
import { create } from 'zustand';
import { localStore } from '../../../lib/storage.ts';

const shortcutsEntry = 'chasqui_shortcuts';

/** Whether keys of one letter act in this browser. Speech input and shaking hands press them unasked. */
export const useShortcuts = create<{ on: boolean }>(() => ({ on: localStore.getItem(shortcutsEntry) !== 'off' }));

/** Switches them on or off, also for the next visit. */
export function switchShortcuts(on: boolean): void {
  if (on) localStore.removeItem(shortcutsEntry);
  else localStore.setItem(shortcutsEntry, 'off');
  useShortcuts.setState({ on });
}

/**
 * Keys of a list of rows that name their transfer (`data-row-id`): j and k move the focus, others act on the row that has it. They act
 * only while a row of this list has the focus (WCAG 2.1.4), and not with a modifier.
 */
export function useRowKeys({
  list,
  locked,
  actions,
}: {
  list: RefObject<HTMLElement | null>;
  /** A dialog is open above the list. */
  locked: boolean;
  /** By key; `id` is that of the row with the focus. */
  actions: Readonly<Record<string, (id: string) => void>>;
}): void {
  const { on } = useShortcuts();
  useWindowEvent('keydown', (event) => {
    if (!on || locked || event.ctrlKey || event.metaKey || event.altKey) return;
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-row-id]') ?? [])];
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    const id = rows[at]?.dataset.rowId;
    if (id === undefined) return;
    const step = { j: 1, k: -1 }[event.key];
    const act = actions[event.key];
    if (step === undefined && !act) return;
    event.preventDefault();
    if (act) return act(id);
    const next = rows[Math.min(Math.max(at + (step ?? 0), 0), rows.length - 1)];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
  });
}
