import type { SessionView } from '#core/contracts/http/auth';

/** Browser storage that never throws: where the browser blocks it, or it is full, values last as long as the page. */
export interface SafeStorage extends Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  /** Whether the browser blocks its storage, so that nothing of an earlier page can be known. */
  readonly blocked: boolean;
}

/**
 * Wraps a storage. `open` may throw, as reading `window.localStorage` does where storage is blocked, or give null, as in Android's
 * web view.
 */
export function safeStorage(open: () => Storage | null): SafeStorage {
  const memory = new Map<string, string>();
  const storage = attempt(open) ?? undefined;
  return {
    getItem: (key) => memory.get(key) ?? attempt(() => storage?.getItem(key)) ?? null,
    setItem(key, value) {
      const stored = attempt(() => {
        storage?.setItem(key, value);
        return storage !== undefined;
      });
      if (stored) memory.delete(key);
      else memory.set(key, value);
    },
    removeItem(key) {
      memory.delete(key);
      attempt(() => storage?.removeItem(key));
    },
    blocked: storage === undefined,
  };
}

function attempt<Result>(act: () => Result): Result | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

/** Survives the browser; all tabs share it. */
export const localStore = safeStorage(() => window.localStorage);
/** Survives a reload of this tab. */
export const tabStore = safeStorage(() => window.sessionStorage);

/** Entry of the storage of all tabs that holds what a person is about to send (sending-draft.ts). */
export const draftEntry = 'chasqui_draft';

/** How many transfers were under way when the panel was last seen, so that their place is kept while they are on their way. */
export const underWayEntry = 'chasqui_under_way';

const tokenEntry = 'auth_token';
const userEntry = 'user_data';

/** The session's public id, if this browser believes to be signed in. The secret is in an httpOnly cookie, out of reach. */
export const storedToken = (): string | null => localStore.getItem(tokenEntry);

/** Whether the server has to be asked who is signed in. Where storage is blocked only it knows. */
export const mayBeSignedIn = (): boolean => localStore.blocked || storedToken() !== null;

export function storeSession({ token, user }: SessionView): void {
  localStore.setItem(tokenEntry, token);
  const { email, name, phone, city, role } = user;
  localStore.setItem(userEntry, JSON.stringify({ email, name, phone, city, role }));
}

export function forgetStoredSession(): void {
  localStore.removeItem(tokenEntry);
  localStore.removeItem(userEntry);
}

const startsEntry = 'chasqui_starts';
const startsMax = 3;

/**
 * The router reloads the page when the file of a route does not come, as after a deployment. Should the file stay away, that
 * would never end: after three starts in a row that showed no page the app must not start again by itself. Counts a start, and
 * says whether it may go on.
 */
export function countStart(): boolean {
  const starts = Number(tabStore.getItem(startsEntry)) + 1;
  tabStore.setItem(startsEntry, starts > startsMax ? '0' : String(starts));
  return starts <= startsMax;
}

/** A page is on screen: whatever fails from here on is no failed start. */
export function noteStarted(): void {
  tabStore.removeItem(startsEntry);
}
