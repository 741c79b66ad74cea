import { useEffect, useLayoutEffect, useRef } from 'react';
import { create } from 'zustand';
import type { AdminTransferView } from '#core/contracts/http/admin';
import { newestFirst } from '../../../data/versioned-collection.ts';

type Row = AdminTransferView;

/**
 * Ids that came in since `before`: rows above the oldest one known then (older ones were loaded on demand), and rows that
 * only now wait for a decision.
 */
export function arrivals(before: readonly Row[], now: readonly Row[]): string[] {
  const known = new Map(before.map((row) => [row.id, row]));
  const oldest = before.at(-1);
  return now.filter((row) => isArrival(row, known.get(row.id), oldest)).map((row) => row.id);
}

function isArrival(row: Row, known: Row | undefined, oldest: Row | undefined): boolean {
  if (known) return known.state === 'awaiting_payment' && row.state === 'in_review';
  return oldest === undefined || newestFirst(row, oldest) < 0;
}

/** Transfers that came in while the panel was open and that nobody has looked at yet. */
const useUnseen = create<{ ids: ReadonlySet<string> }>(() => ({ ids: new Set() }));

export const useIsUnseen = (id: string) => useUnseen(({ ids }) => ids.has(id));
export const useUnseenCount = () => useUnseen(({ ids }) => ids.size);

function mark(ids: readonly string[]) {
  if (ids.length > 0) useUnseen.setState(({ ids: known }) => ({ ids: new Set([...known, ...ids]) }));
}

/** Somebody looked at it: the mark goes. */
export function markSeen(id: string): void {
  useUnseen.setState(({ ids }) => (ids.has(id) ? { ids: new Set([...ids].filter((other) => other !== id)) } : { ids }));
}

/**
 * Marks what comes into a list, pushed or found after a lost connection. Another filter starts anew: what it shows was
 * asked for and is no news.
 * @param rows null while the list of this filter is not loaded.
 */
export function useMarkArrivals(filterKey: string, rows: readonly AdminTransferView[] | null): void {
  const before = useRef<{ filterKey: string; rows: readonly AdminTransferView[] } | null>(null);
  useLayoutEffect(() => {
    if (!rows) return;
    if (before.current?.filterKey === filterKey) mark(arrivals(before.current.rows, rows));
    before.current = { filterKey, rows };
  }, [filterKey, rows]);
}

/** How long a new row has to be in view before it counts as seen. */
const seenAfterMs = 4000;

/** Takes the mark off once the element has been in view, in a visible tab, for a while. Give the ref to the row. */
export function useSeenInView<Element extends HTMLElement>(id: string, unseen: boolean) {
  const ref = useRef<Element>(null);
  useEffect(() => {
    const element = ref.current;
    if (!unseen || !element) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let inView = false;
    const look = () => {
      clearTimeout(timer);
      if (inView && document.visibilityState === 'visible') timer = setTimeout(() => markSeen(id), seenAfterMs);
    };
    const observer = new IntersectionObserver(
      ([entry]) => {
        inView = entry?.isIntersecting ?? false;
        look();
      },
      { threshold: 0.6 },
    );
    observer.observe(element);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      document.removeEventListener('visibilitychange', look);
    };
  }, [id, unseen]);
  return ref;
}
