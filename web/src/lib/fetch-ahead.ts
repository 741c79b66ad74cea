/** What the router knows of the files of a route. */
interface RouteFiles {
  readonly path?: string;
  readonly parentId?: string;
  readonly module: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

/** The router's list of files, which every built page loads first. */
const routesOf = (scope: typeof globalThis & { __reactRouterManifest?: { routes: Record<string, RouteFiles> } }) =>
  scope.__reactRouterManifest?.routes ?? {};

/**
 * Has the browser fetch and keep the files of the page at `address` before it is opened, after all that this page needs. They are not run,
 * and what does not come is asked for again when the page is opened.
 */
export function fetchAhead(address: string): void {
  const routes = routesOf(globalThis);
  const path = new URL(address, window.location.origin).pathname.slice(1);
  const files = new Map<string, 'script' | 'style'>();
  let route = Object.values(routes).find((known) => known.path === path);
  while (route) {
    for (const file of [route.module, ...(route.imports ?? [])]) files.set(file, 'script');
    for (const file of route.css ?? []) files.set(file, 'style');
    route = routes[route.parentId ?? ''];
  }
  for (const [href, as] of files) {
    if (document.querySelector(`link[href="${href}"]`)) continue;
    // As modules are asked for: otherwise what is kept would not be theirs.
    const link = Object.assign(document.createElement('link'), { rel: 'prefetch', as, href });
    if (as === 'script') link.crossOrigin = '';
    document.head.append(link);
  }
}
