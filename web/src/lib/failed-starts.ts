import { tabStore } from './safe-storage.ts';

const entry = 'chasqui_starts';
const startsMax = 3;

/**
 * The router reloads the page when the file of a route does not come, as after a deployment. Should the file stay away, that
 * would never end: after three starts in a row that showed no page the app must not start again by itself. Counts a start, and
 * says whether it may go on.
 */
export function countStart(): boolean {
  const starts = Number(tabStore.getItem(entry)) + 1;
  tabStore.setItem(entry, starts > startsMax ? '0' : String(starts));
  return starts <= startsMax;
}

/** A page is on screen: whatever fails from here on is no failed start. */
export function noteStarted(): void {
  tabStore.removeItem(entry);
}
