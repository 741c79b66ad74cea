import { useOpenPayment } from '../lib/document.ts';
import { tabStore } from '../lib/storage.ts';

const reloadedEntry = 'chasqui_reloaded_at';
/** Two servers of different versions, asked in turn during a deployment, must not make a page reload without end. */
const reloadPauseMs = 60_000;

/**
 * After a deployment the files of the build that this page comes from are gone, so every part that it has not loaded yet would
 * be missing. Then, and only then, the page reloads itself: when a file did not come and the server's page names another entry
 * script than `entry`, the address of our own. A payment under way is never reloaded away.
 */
export function reloadAfterDeploy(entry: string): void {
  window.addEventListener('vite:preloadError', () => void reloadIfReplaced(new URL(entry).pathname));
}

async function reloadIfReplaced(entryPath: string): Promise<void> {
  const lastReload = Number(tabStore.getItem(reloadedEntry));
  if (tabStore.blocked || Date.now() - lastReload < reloadPauseMs) return;
  if (!(await isReplaced(entryPath)) || useOpenPayment.getState().held) return;
  tabStore.setItem(reloadedEntry, String(Date.now()));
  window.location.reload();
}

async function isReplaced(entryPath: string): Promise<boolean> {
  try {
    const page = await fetch(window.location.pathname, { cache: 'no-store' });
    return page.ok && !(await page.text()).includes(entryPath);
  } catch {
    // No connection: the files may still be there.
    return false;
  }
}
