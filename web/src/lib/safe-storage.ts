/** Browser storage that never throws: where the browser blocks it, or it is full, values last as long as the page. */
export interface SafeStorage extends Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  /** Whether the browser blocks its storage, so that nothing of an earlier page can be known. */
  readonly blocked: boolean;
}

/** Wraps a storage. `open` may throw, as reading `window.localStorage` does where storage is blocked. */
export function safeStorage(open: () => Storage): SafeStorage {
  const memory = new Map<string, string>();
  const storage = attempt(open);
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
