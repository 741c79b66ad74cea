import { t } from '@lingui/core/macro';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import type { z } from 'zod';
import type { CreatedPasskey, PasskeyAnswer, passkeyOptions } from '#core/contracts/http/passkeys';
import { ApiFailure } from './http.ts';

type Options = z.output<typeof passkeyOptions>;

/** Loaded when somebody uses it. */
const library = () => import('@simplewebauthn/browser');

/** Lets the person create a passkey on a device of theirs. @throws ApiFailure `passkey_exists`, or `passkey_refused` when there came none. */
export async function createPasskey(options: Options): Promise<CreatedPasskey> {
  const { startRegistration } = await library();
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const { id, rawId, type, response } = await startRegistration({ optionsJSON }).catch(refuse);
  const { clientDataJSON, attestationObject, transports = [] } = response;
  return { id, rawId, type, response: { clientDataJSON, attestationObject, transports } };
}

/** Lets the person sign with one of their passkeys. @throws ApiFailure `passkey_refused` when they did not. */
export async function signWithPasskey(options: Options): Promise<PasskeyAnswer> {
  const { startAuthentication } = await library();
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const { id, rawId, type, response } = await startAuthentication({ optionsJSON }).catch(refuse);
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  return { id, rawId, type, response: { clientDataJSON, authenticatorData, signature, userHandle } };
}

/** Browsers tell pages little, so that they learn nothing of a person's devices: canceled, too late and none look alike. */
function refuse(error: Error): never {
  const isKnown = error.name === 'InvalidStateError';
  const view = isKnown
    ? ({ code: 'passkey_exists', message: t`Este equipo ya tiene una llave de acceso de tu cuenta.` } as const)
    : ({
        code: 'passkey_refused',
        message: t`No pudimos comprobar esa llave de acceso. Inténtalo otra vez, o entra de otra manera.`,
      } as const);
  throw new ApiFailure(0, String(error), view);
}
