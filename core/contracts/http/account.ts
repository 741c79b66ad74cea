import { z } from 'zod';
import { locales } from '../../locale/locale.ts';
import { accountRoutes } from './account-routes.ts';
import {
  emailAddress,
  newPassword,
  occupations,
  personDetails,
  resetToken,
  sessionView,
  typedPassword,
} from './auth.ts';
import { endpoint } from './endpoint.ts';
import { routes } from './routes.ts';
import { currencyInput, id, pageOf, pageQuery, timestamp } from './values.ts';

/** The signed-in person's data, as they see it. */
export const accountView = z.object({
  email: z.string(),
  name: z.string(),
  phone: z.string().nullable(),
  city: z.string().nullable(),
  occupation: z.enum(occupations).nullable(),
  /** "YYYY-MM-DD"; null until the first transfer. */
  birthDate: z.iso.date().nullable(),
  createdAt: timestamp,
});
export type AccountView = z.infer<typeof accountView>;

/** A browser that is signed in; its names are null where it does not say them. */
export const deviceSession = z.object({
  id,
  browser: z.string().nullable(),
  system: z.string().nullable(),
  createdAt: timestamp,
  /** To the minute. */
  lastSeenAt: timestamp,
});
export type DeviceSession = z.infer<typeof deviceSession>;

/** Notifications on the browser that calls. */
export const pushView = z.object({
  /** The key its subscription is made with (VAPID, RFC 8292), base64url; null: there are no notifications here. */
  publicKey: z.string().nullable(),
  /** The push service's address for this browser, which it had us keep; null: it wants none. */
  endpoint: z.string().nullable(),
  /** Whether the last one did not reach its push service. */
  failing: z.boolean(),
});
export type PushView = z.infer<typeof pushView>;

/** The code of an e-mail, as people type it: spaces do not matter. */
export const emailCode = z
  .string()
  .max(20)
  .transform((typed) => typed.replace(/\s/g, ''))
  .pipe(z.string().regex(/^\d{6}$/));

const base64url = (bytes: number) => {
  const length = Math.ceil((bytes * 4) / 3);
  return z.string().regex(new RegExp(`^[\\w-]{${length}}$`), 'Debe ser base64url');
};

/** A browser's push subscription: the endpoint of its push service and the encryption keys. */
export const pushSubscription = z.object({
  endpoint: z.url({ protocol: /^https?$/ }).max(1000),
  p256dh: base64url(65),
  auth: base64url(16),
});
export type PushSubscriptionInput = z.infer<typeof pushSubscription>;

export const accountEndpoints = {
  getAccount: endpoint({
    ...accountRoutes.getAccount,
    summary: 'Los datos propios de la persona',
    access: 'sender',
    response: accountView,
  }),
  updateAccount: endpoint({
    ...accountRoutes.updateAccount,
    summary: 'Cambia los datos propios; los que no se envían quedan vacíos',
    access: 'sender',
    body: personDetails,
    response: accountView,
    failures: ['too_many_requests', 'name_in_use'],
  }),
  changePassword: endpoint({
    ...accountRoutes.changePassword,
    summary: 'Cambia la contraseña y cierra las demás sesiones',
    access: 'sender',
    freshFactor: true,
    audit: 'password_changed',
    body: z.object({ current: typedPassword, password: newPassword }),
    failures: ['too_many_requests', 'wrong_password', 'second_factor_stale'],
  }),
  /** The answer is the same for every address: it does not say whether one has an account. */
  changeEmail: endpoint({
    ...accountRoutes.changeEmail,
    summary: 'Pide cambiar el correo: la dirección nueva recibe un enlace que lo confirma',
    access: 'sender',
    freshFactor: true,
    body: z.object({ email: emailAddress, password: typedPassword }),
    failures: ['too_many_requests', 'wrong_password', 'email_unchanged', 'mail_unavailable', 'second_factor_stale'],
  }),
  sendEmailCode: endpoint({
    ...accountRoutes.sendEmailCode,
    summary: 'Envía otra vez el código y el enlace que confirman el correo de la cuenta',
    access: 'sender',
    failures: ['too_many_requests', 'mail_unavailable'],
  }),
  proveEmail: endpoint({
    ...accountRoutes.proveEmail,
    summary: 'Confirma el correo de la cuenta con el código que recibió',
    access: 'sender',
    body: z.object({ code: emailCode }),
    response: sessionView,
    failures: ['too_many_requests', 'email_code_wrong'],
  }),
  /** Looks at a link without using it up, as `recoveryLink` does. */
  emailLink: endpoint({
    ...routes.emailLink,
    summary: 'Qué hace un enlace sobre el correo de una cuenta, o que deshace un cambio de ella, si todavía vale',
    access: 'public',
    body: z.object({ token: resetToken }),
    response: z.object({
      purpose: z.enum(['prove', 'confirm', 'undo']),
      /** The address that the account has (`prove`) or would have. */
      email: z.string(),
      /** Of `undo`: second factors that were added since are removed, and those that were removed since return. */
      since: timestamp.nullable(),
    }),
    failures: ['too_many_requests', 'email_link_dead'],
  }),
  useEmailLink: endpoint({
    ...routes.useEmailLink,
    summary: 'Confirma el correo de la cuenta o el nuevo, o deshace un cambio de la cuenta, con el enlace del correo',
    access: 'public',
    body: z.object({ token: resetToken }),
    failures: ['too_many_requests', 'email_link_dead', 'email_taken'],
  }),
  listSessions: endpoint({
    ...accountRoutes.listSessions,
    summary: 'Esta sesión, y las demás abiertas por páginas, las más nuevas primero',
    access: 'sender',
    query: pageQuery,
    response: pageOf(deviceSession).extend({ current: deviceSession }),
  }),
  endSession: endpoint({
    ...accountRoutes.endSession,
    summary: 'Cierra una sesión propia',
    access: 'sender',
    freshFactor: 'or_password',
    params: z.object({ id }),
    failures: ['not_found', 'too_many_requests', 'second_factor_stale'],
  }),
  setCurrency: endpoint({
    ...accountRoutes.setCurrency,
    summary: 'Elige en qué moneda empieza el formulario de envío; null: la del último envío',
    access: 'sender',
    body: z.object({ currency: currencyInput.nullable() }),
    response: sessionView,
    failures: ['too_many_requests'],
  }),
  exportData: endpoint({
    ...accountRoutes.exportData,
    summary: 'Todo lo que Chasqui guarda de la persona, como JSON',
    access: 'sender',
    freshFactor: 'or_password',
    audit: 'own_data_exported',
    answersFile: true,
    status: 200,
    failures: ['too_many_requests', 'second_factor_stale'],
  }),
  exportTransfers: endpoint({
    ...accountRoutes.exportTransfers,
    summary: 'Todos los envíos pagados de la persona, como CSV',
    access: 'sender',
    freshFactor: 'or_password',
    audit: 'own_data_exported',
    query: z.object({ language: z.enum(locales).optional() }),
    answersFile: true,
    status: 200,
    failures: ['too_many_requests', 'second_factor_stale'],
  }),
  getPush: endpoint({
    ...accountRoutes.getPush,
    summary: 'Si este navegador recibe avisos, y con qué clave puede pedirlos',
    access: 'sender',
    response: pushView,
  }),
  setPush: endpoint({
    ...accountRoutes.setPush,
    summary: 'Enciende los avisos en este navegador hasta que termine su sesión',
    access: 'sender',
    body: pushSubscription,
    response: pushView,
    failures: ['too_many_requests', 'notifications_unavailable', 'push_service_unknown'],
  }),
  endPush: endpoint({
    ...accountRoutes.endPush,
    summary: 'Apaga los avisos en este navegador',
    access: 'sender',
    failures: ['too_many_requests'],
  }),
  closeAccount: endpoint({
    ...accountRoutes.closeAccount,
    summary: 'Cierra la cuenta: termina las sesiones y borra los datos que ninguna ley pide guardar',
    access: 'sender',
    freshFactor: true,
    audit: 'account_closed',
    body: z.object({ password: typedPassword }),
    failures: ['too_many_requests', 'wrong_password', 'account_busy', 'forbidden', 'second_factor_stale'],
  }),
  endOtherSessions: endpoint({
    ...accountRoutes.endOtherSessions,
    summary: 'Cierra todas las sesiones propias menos esta',
    access: 'sender',
    freshFactor: 'or_password',
    failures: ['too_many_requests', 'second_factor_stale'],
  }),
};
