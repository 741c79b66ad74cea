import { z } from 'zod';
import { locales } from '../../locale/locale.ts';
import { line, personName } from '../text.ts';
import { endpoint } from './endpoint.ts';
import { routes } from './routes.ts';
import { id } from './values.ts';

export const occupations = ['estudiante', 'empleado', 'autonomo', 'empresario', 'otro'] as const;

const email = z
  .string({ error: 'Correo electrónico requerido' })
  .trim()
  .toLowerCase()
  .min(1, 'Correo electrónico requerido')
  .max(254, 'Correo electrónico inválido')
  .pipe(z.email('Correo electrónico inválido'));

const newPassword = z
  .string({ error: 'Contraseña requerida' })
  .min(1, 'Contraseña requerida')
  .min(8, 'La contraseña debe tener al menos 8 caracteres')
  .max(200, 'Usa como máximo 200 caracteres');

/** What the link of a password reset e-mail carries: 32 random bytes, base64url. */
export const resetToken = z
  .string({ error: 'Falta el enlace' })
  .regex(/^[A-Za-z0-9_-]{43}$/, 'El enlace está incompleto. Ábrelo otra vez desde tu correo o pide uno nuevo.');

/** A language the product speaks. */
const locale = z.enum(locales, { error: 'Elige español o inglés' });

const resetLinkFailures = [
  'recovery_link_unknown',
  'recovery_link_expired',
  'recovery_link_used',
  'recovery_link_replaced',
] as const;

export const userView = z.object({
  id,
  email: z.string(),
  name: z.string(),
  phone: z.string().nullable(),
  city: z.string().nullable(),
  role: z.enum(['user', 'admin']),
  /** The language of e-mails to them, and of the pages where this browser has no choice of its own. */
  locale: z.enum(locales),
  /** False until the first transfer: the form then asks for the date of birth. */
  birthDateKnown: z.boolean(),
});
export type UserView = z.infer<typeof userView>;

/** `token` is the session's public id, no secret: the secret travels in an httpOnly cookie only. */
export const sessionView = z.object({ token: id, user: userView });
export type SessionView = z.infer<typeof sessionView>;

export const authEndpoints = {
  register: endpoint({
    ...routes.register,
    summary: 'Crea una cuenta e inicia sesión',
    access: 'public',
    body: z.object({
      name: personName(100, 'Nombre requerido')
        .min(1, 'Nombre requerido')
        .min(2, 'Nombre debe tener al menos 2 caracteres'),
      email,
      password: newPassword,
      phone: line(30).optional(),
      city: line(80).optional(),
      occupation: z.enum(occupations).optional(),
      /** The language of the page; without it the browser's (Accept-Language), else Spanish. */
      locale: locale.optional(),
      acceptedTerms: z.literal(true, { error: 'Debes aceptar los términos y condiciones para continuar' }),
    }),
    response: sessionView,
    status: 201,
    failures: ['email_taken', 'too_many_requests'],
  }),
  login: endpoint({
    ...routes.login,
    summary: 'Inicia sesión',
    access: 'public',
    body: z.object({
      email,
      password: z.string({ error: 'Contraseña requerida' }).min(1, 'Contraseña requerida').max(200),
      /** Keep the session for 30 days instead of until the browser closes (12 hours at most). */
      remember: z.boolean().default(false),
    }),
    response: sessionView,
    failures: ['invalid_credentials', 'too_many_requests'],
  }),
  /** The answer is the same for every address: it says that the request was stored, not that an account exists. */
  recoverPassword: endpoint({
    ...routes.recoverPassword,
    summary: 'Pide por correo un enlace para cambiar la contraseña',
    access: 'public',
    body: z.object({ email }),
    failures: ['too_many_requests', 'mail_unavailable'],
  }),
  /** Looks at a link without using it up. It is a POST because a token in an address would end in logs. */
  recoveryLink: endpoint({
    ...routes.recoveryLink,
    summary: 'De quién es un enlace para cambiar la contraseña, si todavía vale',
    access: 'public',
    body: z.object({ token: resetToken }),
    response: z.object({ email: z.string() }),
    failures: ['too_many_requests', ...resetLinkFailures],
  }),
  resetPassword: endpoint({
    ...routes.resetPassword,
    summary: 'Cambia la contraseña con el enlace del correo y cierra todas las sesiones',
    access: 'public',
    body: z.object({ token: resetToken, password: newPassword }),
    failures: ['too_many_requests', ...resetLinkFailures],
  }),
  logout: endpoint({ ...routes.logout, summary: 'Cierra la sesión', access: 'public' }),
  me: endpoint({
    ...routes.me,
    summary: 'La sesión actual',
    access: 'sender',
    response: sessionView,
  }),
  setLocale: endpoint({
    ...routes.setLocale,
    summary: 'Cambia el idioma de la persona, también el de sus correos',
    access: 'sender',
    body: z.object({ locale }),
    response: sessionView,
    failures: ['too_many_requests'],
  }),
};
