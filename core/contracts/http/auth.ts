import { z } from 'zod';
import { locales } from '../../locale/locale.ts';
import { line, nameTooShortMessage, personName, tooLong } from '../text.ts';
import { endpoint } from './endpoint.ts';
import { routes } from './routes.ts';
import { id } from './values.ts';

/** What is said about fields of accounts, by the codes of the problems. */
export const accountSentences = {
  name_required: 'Nombre requerido',
  email_required: 'Correo electrónico requerido',
  email_malformed: 'Correo electrónico inválido',
  password_required: 'Contraseña requerida',
  password_too_short: 'La contraseña debe tener al menos 8 caracteres',
  terms_not_accepted: 'Debes aceptar los términos y condiciones para continuar',
  locale_unknown: 'Elige español o inglés',
  recovery_link_missing: 'Falta el enlace',
  recovery_link_incomplete: 'El enlace está incompleto. Ábrelo otra vez desde tu correo o pide uno nuevo.',
} as const;

export const occupations = ['estudiante', 'empleado', 'autonomo', 'empresario', 'otro'] as const;

const email = z
  .string({ error: accountSentences.email_required })
  .trim()
  .toLowerCase()
  .min(1, accountSentences.email_required)
  .max(254, accountSentences.email_malformed)
  .pipe(z.email(accountSentences.email_malformed));

const newPassword = z
  .string({ error: accountSentences.password_required })
  .min(1, accountSentences.password_required)
  .min(8, accountSentences.password_too_short)
  .max(200, tooLong(200));

/** What the link of a password reset e-mail carries: 32 random bytes, base64url. */
export const resetToken = z
  .string({ error: accountSentences.recovery_link_missing })
  .regex(/^[A-Za-z0-9_-]{43}$/, accountSentences.recovery_link_incomplete);

/** A language the product speaks. */
const locale = z.enum(locales, { error: accountSentences.locale_unknown });

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
      name: personName(100, accountSentences.name_required)
        .min(1, accountSentences.name_required)
        .min(2, nameTooShortMessage),
      email,
      password: newPassword,
      phone: line(30).optional(),
      city: line(80).optional(),
      occupation: z.enum(occupations).optional(),
      /** The language of the page; without it the browser's (Accept-Language), else Spanish. */
      locale: locale.optional(),
      acceptedTerms: z.literal(true, { error: accountSentences.terms_not_accepted }),
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
      password: z
        .string({ error: accountSentences.password_required })
        .min(1, accountSentences.password_required)
        .max(200),
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
