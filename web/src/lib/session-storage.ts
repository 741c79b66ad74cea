import type { SessionView } from '#core/contracts/http/auth';

export const sessionKey = ['session'] as const;

const tokenEntry = 'auth_token';
const userEntry = 'user_data';

/** The session's public id, if this browser believes to be signed in. The secret is in an httpOnly cookie, out of reach. */
export function storedToken(): string | null {
  return window.localStorage.getItem(tokenEntry);
}

export function storeSession({ token, user }: SessionView): void {
  window.localStorage.setItem(tokenEntry, token);
  const { email, name, phone, city, role } = user;
  window.localStorage.setItem(userEntry, JSON.stringify({ email, name, phone, city, role }));
}

export function forgetStoredSession(): void {
  window.localStorage.removeItem(tokenEntry);
  window.localStorage.removeItem(userEntry);
}
