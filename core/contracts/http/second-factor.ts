import { z } from 'zod';
import { accountRoutes } from './account-routes.ts';
import { sessionView, typedPassword } from './auth.ts';
import { endpoint } from './endpoint.ts';
import { createdPasskey, passkeyAnswer, passkeyName, passkeyOptions, passkeyView } from './passkeys.ts';
import { id, timestamp } from './values.ts';

/**
 * A code as entered, with spaces and hyphens anywhere: the six digits of an authenticator app, or a recovery code
 * (base32).
 */
export const factorCode = z
  .string()
  .overwrite((text) => text.replace(/[\s-]/g, '').toUpperCase())
  // 16 letters: a recovery code from before they had 28.
  .regex(/^(\d{6}|[A-Z2-7]{16}|[A-Z2-7]{28})$/);

/** One of them. */
const oneOf = <Fields extends { code: z.ZodType }>(fields: Fields) =>
  z.object(fields).check(({ value, issues }) => {
    if (Object.values(value).filter((field) => field !== undefined).length !== 1)
      issues.push({ code: 'invalid_type', expected: 'string', input: undefined, path: ['code'] });
  });
const factors = { code: factorCode.optional(), passkey: passkeyAnswer.optional() };
const proof = oneOf(factors);

export const secondFactorView = z.object({
  /** When the authenticator app was set up; null without an app. */
  since: timestamp.nullable(),
  passkeys: z.array(passkeyView),
  recoveryCodesLeft: z.int().min(0),
});
export type SecondFactorView = z.infer<typeof secondFactorView>;

/** Shown once: only their hashes are kept. Null where there was a second factor already, whose codes stay. */
const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()).nullable() });

const ownPassword = z.object({ password: typedPassword });
const passwordFailures = ['too_many_requests', 'wrong_password', 'second_factor_stale'] as const;
const proofFailures = ['too_many_requests', 'second_factor_wrong', 'passkey_refused'] as const;
const signInFailures = ['account_closed', 'account_blocked', 'too_many_requests'] as const;

export const secondFactorEndpoints = {
  /** After `login` answered `second_factor_required`, with the cookie it set. */
  secondStep: endpoint({
    ...accountRoutes.secondStep,
    summary: 'Termina de iniciar sesión con una llave de acceso, el código de la aplicación o uno de recuperación',
    access: 'public',
    audit: 'signed_in',
    body: proof,
    response: sessionView,
    failures: ['second_factor_wrong', 'passkey_refused', 'sign_in_expired', ...signInFailures],
  }),
  /** Sets a cookie that belongs to the challenge, for five minutes. */
  passkeyOptions: endpoint({
    ...accountRoutes.passkeyOptions,
    summary: 'Lo que firma una llave de acceso para entrar',
    access: 'public',
    body: z.object({
      /** After the password: only keys of the account that it was right for. */
      secondStep: z.boolean().default(false),
    }),
    response: passkeyOptions,
    failures: ['too_many_requests', 'sign_in_expired'],
  }),
  passkeySignIn: endpoint({
    ...accountRoutes.passkeySignIn,
    summary: 'Inicia sesión con una llave de acceso, sin contraseña',
    access: 'public',
    audit: 'signed_in',
    body: z.object({ passkey: passkeyAnswer, remember: z.boolean().default(false) }),
    response: sessionView,
    failures: ['passkey_refused', ...signInFailures],
  }),
  getSecondFactor: endpoint({
    ...accountRoutes.getSecondFactor,
    summary: 'Qué segundo paso pide la cuenta al entrar, y cuántos códigos de recuperación quedan',
    access: 'sender',
    beforeSetUp: true,
    response: secondFactorView,
  }),
  startSecondFactor: endpoint({
    ...accountRoutes.startSecondFactor,
    summary: 'Empieza a activar la aplicación de verificación: su clave, que solo vale tras confirmarla',
    access: 'sender',
    beforeSetUp: true,
    freshFactor: true,
    body: ownPassword,
    /** The secret in base32, and the address that authenticator apps read from a QR code. */
    response: z.object({ secret: z.string(), uri: z.string() }),
    failures: [...passwordFailures, 'email_unproven', 'second_factor_changed'],
  }),
  confirmSecondFactor: endpoint({
    ...accountRoutes.confirmSecondFactor,
    summary: 'Activa la aplicación con un código de ella; si es el primer segundo paso, cierra las demás sesiones',
    access: 'sender',
    beforeSetUp: true,
    audit: 'second_factor_changed',
    body: z.object({ code: factorCode }),
    response: recoveryCodes,
    failures: ['too_many_requests', 'second_factor_wrong', 'second_factor_changed'],
  }),
  removeSecondFactor: endpoint({
    ...accountRoutes.removeSecondFactor,
    summary: 'Quita la aplicación de verificación',
    access: 'sender',
    freshFactor: true,
    audit: 'second_factor_changed',
    body: ownPassword,
    failures: [...passwordFailures, 'second_factor_changed'],
  }),
  /** Sets a cookie as `passkeyOptions` does. */
  startPasskey: endpoint({
    ...accountRoutes.startPasskey,
    summary: 'Empieza a crear una llave de acceso: lo que el navegador necesita para ello',
    access: 'sender',
    beforeSetUp: true,
    freshFactor: true,
    body: ownPassword,
    response: passkeyOptions,
    failures: [...passwordFailures, 'email_unproven', 'too_many_passkeys'],
  }),
  addPasskey: endpoint({
    ...accountRoutes.addPasskey,
    summary: 'Guarda una llave de acceso nueva; si es el primer segundo paso, cierra las demás sesiones',
    access: 'sender',
    beforeSetUp: true,
    audit: 'second_factor_changed',
    body: z.object({ name: passkeyName, passkey: createdPasskey }),
    response: recoveryCodes,
    failures: ['too_many_requests', 'passkey_refused', 'passkey_exists', 'too_many_passkeys'],
  }),
  removePasskey: endpoint({
    ...accountRoutes.removePasskey,
    summary: 'Quita una llave de acceso',
    access: 'sender',
    freshFactor: true,
    audit: 'second_factor_changed',
    params: z.object({ id }),
    body: ownPassword,
    failures: [...passwordFailures, 'not_found'],
  }),
  renewRecoveryCodes: endpoint({
    ...accountRoutes.renewRecoveryCodes,
    summary: 'Reemplaza los códigos de recuperación',
    access: 'sender',
    freshFactor: true,
    audit: 'second_factor_changed',
    body: ownPassword,
    response: z.object({ recoveryCodes: z.array(z.string()) }),
    failures: [...passwordFailures, 'second_factor_changed'],
  }),
  /** Sets a cookie as `passkeyOptions` does. */
  passkeyProof: endpoint({
    ...accountRoutes.passkeyProof,
    summary: 'Lo que firma una llave de acceso para probar otra vez el segundo paso',
    access: 'sender',
    response: passkeyOptions,
    failures: ['too_many_requests'],
  }),
  /** Before calls that want it proven lately (`freshFactor`). The session's cookie is replaced. */
  proveSecondFactor: endpoint({
    ...accountRoutes.proveSecondFactor,
    summary: 'Prueba otra vez el segundo paso en esta sesión, o la contraseña si no hay, antes de algo delicado',
    access: 'sender',
    body: oneOf({ ...factors, password: typedPassword.optional() }),
    failures: [...proofFailures, 'wrong_password', 'second_factor_changed'],
  }),
};
