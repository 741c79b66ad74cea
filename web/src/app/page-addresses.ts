import type { RouteObject } from 'react-router-dom';
import type { PageHandle } from '../routes/layout.tsx';
import { publicPages } from './public-pages.ts';
import { routes } from './routes.tsx';

/** What the server has to know of a page before any script runs. */
export interface PageAddress {
  /** ":id" stands for one part of an address. */
  readonly path: string;
  /** Name of its prerendered HTML file; null: it is private and starts from index.html. */
  readonly file: string | null;
  /** Unknown where cards are not played by the simulator. */
  readonly sandboxOnly: boolean;
}

/** Every page of the routes; the build writes it down for the server. */
export const pageAddresses: readonly PageAddress[] = addressesOf(routes);

function addressesOf(list: readonly RouteObject[]): PageAddress[] {
  return list.flatMap(({ path, handle, children }) => {
    if (children) return addressesOf(children);
    if (path === undefined || path === '*') return [];
    const file = publicPages.find((page) => page.path === path)?.file ?? null;
    return [{ path, file, sandboxOnly: (handle as PageHandle | undefined)?.sandboxOnly === true }];
  });
}
