import { z } from 'zod';
import { accountRoutes } from './account-routes.ts';
import { sessionView, typedPassword } from './auth.ts';
import { endpoint } from './endpoint.ts';
import { timestamp } from './values.ts';

/** A code as it is typed, with spaces and hyphens anywhere: the six digits of an authenticator app, or a recovery code (base32). */
export const factorCode = z
  .string()
  .overwrite((text) => text.replace(/[\s-]/g, '').toUpperCase())
  .regex(/^(\d{6}|[A-Z2-7]{16})$/);

export const secondFactorView = z.object({
  /** Since when it is asked for; null: there is none. */
  since: timestamp.nullable(),
  recoveryCodesLeft: z.int().min(0),
});
export type SecondFactorView = z.infer<typeof secondFactorView>;

/** Shown once: only their hashes are kept. */
const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

const passwordAndCode = z.object({ password: typedPassword, code: factorCode });
const proofFailures = ['too_many_requests', 'wrong_password', 'second_factor_wrong', 'second_factor_changed'] as const;

export const secondFactorEndpoints = {
  /** After `login` answered `second_factor_required`, with the cookie it set. */
  secondStep: endpoint({
    ...accountRoutes.secondStep,
    summary: 'Termina de iniciar sesión con el código de la aplicación o uno de recuperación',
    access: 'public',
    audit: 'signed_in',
    body: z.object({ code: factorCode }),
    response: sessionView,
    failures: ['second_factor_wrong', 'sign_in_expired', 'account_closed', 'account_blocked', 'too_many_requests'],
  }),
  getSecondFactor: endpoint({
    ...accountRoutes.getSecondFactor,
    summary: 'Si la cuenta pide un segundo paso al entrar, y cuántos códigos de recuperación quedan',
    access: 'sender',
    beforeSetUp: true,
    response: secondFactorView,
  }),
  startSecondFactor: endpoint({
    ...accountRoutes.startSecondFactor,
    summary: 'Empieza a activar el segundo paso: la clave para la aplicación, que solo vale tras confirmarla',
    access: 'sender',
    beforeSetUp: true,
    body: z.object({ password: typedPassword }),
    /** The secret in base32, and the address that authenticator apps read from a QR code. */
    response: z.object({ secret: z.string(), uri: z.string() }),
    failures: ['too_many_requests', 'wrong_password', 'second_factor_changed'],
  }),
  confirmSecondFactor: endpoint({
    ...accountRoutes.confirmSecondFactor,
    summary: 'Activa el segundo paso con un código de la aplicación y cierra las demás sesiones',
    access: 'sender',
    beforeSetUp: true,
    audit: 'second_factor_changed',
    body: z.object({ code: factorCode }),
    response: recoveryCodes,
    failures: ['too_many_requests', 'second_factor_wrong', 'second_factor_changed'],
  }),
  renewRecoveryCodes: endpoint({
    ...accountRoutes.renewRecoveryCodes,
    summary: 'Reemplaza los códigos de recuperación',
    access: 'sender',
    audit: 'second_factor_changed',
    body: passwordAndCode,
    response: recoveryCodes,
    failures: proofFailures,
  }),
  /** Before calls that want it proven lately (`freshFactor`). */
  proveSecondFactor: endpoint({
    ...accountRoutes.proveSecondFactor,
    summary: 'Prueba otra vez el segundo paso en esta sesión, antes de algo delicado',
    access: 'sender',
    body: z.object({ code: factorCode }),
    failures: ['too_many_requests', 'second_factor_wrong', 'second_factor_changed'],
  }),
  removeSecondFactor: endpoint({
    ...accountRoutes.removeSecondFactor,
    summary: 'Desactiva el segundo paso',
    access: 'sender',
    audit: 'second_factor_changed',
    body: passwordAndCode,
    failures: proofFailures,
  }),
};
