import type { SessionView } from '#core/contracts/http/auth';
import { localStore } from './safe-storage.ts';

/** Entry of this tab's storage that holds what its person is about to send (sending-draft.ts). */
export const draftEntry = 'chasqui_draft';

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
