/** A view of something that changes: a higher version replaces a lower one. */
export interface Versioned {
  readonly id: string;
  readonly version: number;
}

/**
 * Remembers the newest view of each thing, whichever way it came: a push may arrive before the answer to an older request,
 * twice, or out of order, and must never be overwritten by something older.
 */
export class NewestViews<View extends Versioned> {
  readonly #newest = new Map<string, View>();
  readonly #mostKept: number;

  /** @param mostKept things remembered; the ones not seen for longest are forgotten first. */
  constructor(mostKept = 1000) {
    this.#mostKept = mostKept;
  }

  /** The newest of this view and all seen before. */
  newest(view: View): View {
    const known = this.#newest.get(view.id);
    const kept = known && known.version > view.version ? known : view;
    this.#newest.delete(view.id);
    this.#newest.set(view.id, kept);
    if (this.#newest.size > this.#mostKept) this.#newest.delete(this.#newest.keys().next().value as string);
    return kept;
  }
}

/** A list as it lies in the query cache: pages of items. */
export interface Pages<View> {
  pages: { items: View[]; nextCursor: string | null }[];
  pageParams: unknown[];
}

/** Puts a view in the place of its older version; null when the list does not hold it. An older view changes nothing. */
export function replaceInPages<View extends Versioned, List extends Pages<View>>(list: List, view: View): List | null {
  if (!list.pages.some((page) => page.items.some((item) => item.id === view.id))) return null;
  const replace = (item: View) => (item.id === view.id && item.version < view.version ? view : item);
  return { ...list, pages: list.pages.map((page) => ({ ...page, items: page.items.map(replace) })) };
}

/** Puts a new view on top of the list. */
export function prependToPages<View extends Versioned, List extends Pages<View>>(list: List, view: View): List {
  return {
    ...list,
    pages: list.pages.map((page, index) => (index === 0 ? { ...page, items: [view, ...page.items] } : page)),
  };
}
