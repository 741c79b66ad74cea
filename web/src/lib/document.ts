import { useLayoutEffect, useMemo, useSyncExternalStore } from 'react';
import { create } from 'zustand';
import { type Company, companyAttribute } from '#core/contracts/company';

/** The build this page came from: the hash in the name of the router's list of files. Empty in development and in tests. */
export const ownBuild: string =
  typeof document === 'undefined'
    ? ''
    : (/manifest-([\w-]+)\.js/.exec(
        document.querySelector('link[href*="/assets/manifest-"]')?.getAttribute('href') ?? '',
      )?.[1] ?? '');

/** Whether the server has another build by now, so that the page should be loaded again. */
export const useNewVersion = create<{ available: boolean }>(() => ({ available: false }));

/** Compares the build that an answer of the api names with this page's own. */
export function noteBuild(serverBuild: string | null): void {
  if (ownBuild && serverBuild && serverBuild !== ownBuild) useNewVersion.setState({ available: true });
}

const never = () => () => undefined;

/** Marks the start of pages that are not prerendered. */
export const startId = 'starting';

/** Whether the HTML of this page was rendered at build time, as a visitor sees it. */
export const isPrerendered = (): boolean => document.getElementById(startId) === null;

/**
 * Whether the page is hydrated: false in prerendered HTML and in the first render of hydration. For what a build cannot know, and
 * for fields, which would lose what was typed before.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

/** Where this document comes from, and others in its place. An object, because tests cannot replace the browser's own `location`. */
export const documentLoader = {
  /** The path at which this one was opened, before any navigation within it. */
  openedAt: (): string => new URL(performance.getEntriesByType('navigation')[0]?.name || window.location.href).pathname,
  /** Opens an address of ours as a document of its own. */
  open: (address: string): void => window.location.replace(address),
  /** Loads this page anew. */
  reload: (): void => window.location.reload(),
};

/** The tab's title without the count of unread news that may stand before it. */
export const plainTitle = (): string => document.title.replace(/^\(\d+\+?\) /, '');

/**
 * Whether a payment is under way whose outcome must stay on screen: from the moment the card is asked until the person has
 * seen what came of it. Meanwhile nothing takes the page away: no guard, no reload after a deployment.
 */
export const useOpenPayment = create<{ held: boolean }>(() => ({ held: false }));

/** Keeps the page on screen while `held` is true and the component is mounted. */
export function useHoldPage(held: boolean): void {
  useLayoutEffect(() => {
    if (!held) return;
    useOpenPayment.setState({ held: true });
    return () => useOpenPayment.setState({ held: false });
  }, [held]);
}

let served: string | null = null;

/** Keeps who runs this installation, before React starts: the attribute is lost where React has to draw the document again. */
export function keepCompany(): void {
  served = document.documentElement.getAttribute(companyAttribute);
}

/** Who runs this installation; null until the page is hydrated, and where no api served it (development). */
export function useCompany(): Company | null {
  const hydrated = useHydrated();
  return useMemo(() => {
    const text = hydrated ? (served ?? document.documentElement.getAttribute(companyAttribute)) : null;
    return text?.startsWith('{"') ? (JSON.parse(text) as Company) : null;
  }, [hydrated]);
}
