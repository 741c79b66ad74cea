import { create } from 'zustand';

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
