import { matchRoutes } from 'react-router-dom';
import { routes } from './routes.tsx';

/** Loads the route modules of an address beforehand, so that its first render is the page and not its loading state. */
export async function loadRoutesOf(location: { pathname: string }): Promise<void> {
  await Promise.all(
    (matchRoutes(routes, location) ?? []).map(async ({ route }) => {
      if (typeof route.lazy !== 'function') return;
      Object.assign(route, await route.lazy(), { lazy: undefined });
    }),
  );
}
