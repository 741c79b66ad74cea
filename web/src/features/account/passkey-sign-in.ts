import type { SessionView } from '#core/contracts/http/auth';
import { accountCall } from '../../lib/account-http.ts';
import { signWithPasskey } from '../../lib/passkeys.ts';

/** Signs in with a passkey alone. @throws ApiFailure */
export async function signInWithPasskey(remember: boolean): Promise<SessionView> {
  const options = await accountCall('passkeyOptions', { body: {} });
  return accountCall('passkeySignIn', { body: { passkey: await signWithPasskey(options), remember } });
}
