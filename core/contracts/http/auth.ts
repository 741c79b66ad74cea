import { z } from 'zod';
import { adminRoles } from '../../accounts/admin-roles.ts';
import { locales } from '../../locale/locale.ts';
import { optionalEmails } from '../../notifications/email-preferences.ts';
import { fieldSentences } from '../field-problems.ts';
import { line, personName, tooLong } from '../text.ts';
import { accountRoutes } from './account-routes.ts';
import { endpoint } from './endpoint.ts';
import { routes } from './routes.ts';
import { currency, id } from './values.ts';

export const occupations = ['estudiante', 'empleado', 'autonomo', 'empresario', 'otro'] as const;

/** An e-mail address as it is typed, in lower case. */
export const emailAddress = z
  .string({ error: fieldSentences.email_required })
  .trim()
  .toLowerCase()
  .min(1, fieldSentences.email_required)
  .max(254, fieldSentences.email_malformed)
  .pipe(z.email(fieldSentences.email_malformed));

/** A newly chosen password, at sign-up or later. */
export const newPassword = z
  .string({ error: fieldSentences.password_required })
  .min(1, fieldSentences.password_required)
  .min(8, fieldSentences.password_too_short)
  .max(200, tooLong(200));

/** An existing password, entered for verification. */
export const typedPassword = z
  .string({ error: fieldSentences.password_required })
  .min(1, fieldSentences.password_required)
  .max(200, tooLong(200));

/** Personal details provided at sign-up and later. */
export const personDetails = z.object({
  name: personName(100, fieldSentences.name_required)
    .min(1, fieldSentences.name_required)
    .min(2, fieldSentences.name_too_short),
  phone: line(30).optional(),
  city: line(80).optional(),
  occupation: z.enum(occupations).optional(),
});

/** Token in the link of a password reset e-mail: 32 random bytes, base64url. */
export const resetToken = z
  .string({ error: fieldSentences.recovery_link_missing })
  .regex(/^[A-Za-z0-9_-]{43}$/, fieldSentences.recovery_link_incomplete);

/** A language the product speaks. */
const locale = z.enum(locales, { error: fieldSentences.locale_unknown });

const resetLinkFailures = [
  'recovery_link_unknown',
  'recovery_link_expired',
  'recovery_link_used',
  'recovery_link_replaced',
] as const;

export const userView = z.object({
  id,
  email: z.string(),
  /** False until they typed a code or used a link that was sent there; paying waits for it. */
  emailProven: z.boolean(),
  name: z.string(),
  phone: z.string().nullable(),
  city: z.string().nullable(),
  role: z.enum(['user', 'admin']),
  /** The admin's role; null for everyone else. */
  adminRole: z.enum(adminRoles).nullable(),
  /** The language of their e-mails, and of the pages unless this browser has its own setting. */
  locale: z.enum(locales),
  /** False until the first transfer: the form then asks for the date of birth. */
  birthDateKnown: z.boolean(),
  /** In which the form that sends money begins; null: as last time. */
  preferredCurrency: currency.nullable(),
});
export type UserView = z.infer<typeof userView>;

/** `token` is the session's public id, no secret: the secret travels in an httpOnly cookie only. */
export const sessionView = z.object({
  token: id,
  user: userView,
  /** An admin who needs a second factor and has none: until it is set up the api answers nothing else. */
  mustSetUp: z.literal('second_factor').optional(),
});
export type SessionView = z.infer<typeof sessionView>;

/** Kinds of optional e-mails that a person does not want. */
const emailPreferences = z.object({ muted: z.array(z.enum(optionalEmails)).max(optionalEmails.length) });

export const authEndpoints = {
  register: endpoint({
    ...routes.register,
    summary: 'Crea una cuenta e inicia sesión',
    access: 'public',
    audit: 'signed_in',
    body: z.object({
      ...personDetails.shape,
      email: emailAddress,
      password: newPassword,
      /** The language of the page; without it the browser's (Accept-Language), else Spanish. */
      locale: locale.optional(),
      acceptedTerms: z.literal(true, { error: fieldSentences.terms_not_accepted }),
    }),
    response: sessionView,
    status: 201,
    failures: ['email_taken', 'too_many_requests'],
  }),
  login: endpoint({
    ...routes.login,
    summary: 'Inicia sesión',
    access: 'public',
    audit: 'signed_in',
    body: z.object({
      email: emailAddress,
      password: typedPassword,
      /** Keep the session for 30 days instead of until the browser closes (12 hours at most). */
      remember: z.boolean().default(false),
    }),
    response: sessionView,
    failures: [
      'invalid_credentials',
      'second_factor_required',
      'account_closed',
      'account_blocked',
      'too_many_requests',
    ],
  }),
  /** The answer is the same for every address: it says that the request was stored, not that an account exists. */
  recoverPassword: endpoint({
    ...routes.recoverPassword,
    summary: 'Pide por correo un enlace para cambiar la contraseña',
    access: 'public',
    body: z.object({ email: emailAddress }),
    failures: ['too_many_requests', 'mail_unavailable'],
  }),
  /** Looks at a link without using it up. It is a POST because a token in an address would end in logs. */
  recoveryLink: endpoint({
    ...routes.recoveryLink,
    summary: 'De quién es un enlace para cambiar la contraseña, si todavía vale',
    access: 'public',
    body: z.object({ token: resetToken }),
    response: z.object({
      email: z.string(),
      /** Second factors were added, removed or renewed within the last seven days: the page asks whether it was them. */
      factorsChanged: z.boolean(),
    }),
    failures: ['too_many_requests', ...resetLinkFailures],
  }),
  resetPassword: endpoint({
    ...routes.resetPassword,
    summary: 'Cambia la contraseña con el enlace del correo y cierra todas las sesiones',
    access: 'public',
    audit: 'password_reset',
    body: z.object({
      token: resetToken,
      password: newPassword,
      /** Puts second factors back as they were seven days ago, because a thief changed them. */
      undoFactors: z.boolean().default(false),
    }),
    failures: ['too_many_requests', ...resetLinkFailures],
  }),
  logout: endpoint({ ...routes.logout, summary: 'Cierra la sesión', access: 'public' }),
  me: endpoint({
    ...routes.me,
    summary: 'La sesión actual',
    access: 'sender',
    beforeSetUp: true,
    response: sessionView,
  }),
  setLocale: endpoint({
    ...routes.setLocale,
    summary: 'Cambia el idioma de la persona, también el de sus correos',
    access: 'sender',
    beforeSetUp: true,
    body: z.object({ locale }),
    response: sessionView,
    failures: ['too_many_requests'],
  }),
  getEmailPreferences: endpoint({
    ...accountRoutes.getEmailPreferences,
    summary: 'Qué correos opcionales no quiere recibir la persona',
    access: 'sender',
    response: emailPreferences,
  }),
  setEmailPreferences: endpoint({
    ...accountRoutes.setEmailPreferences,
    summary: 'Elige qué correos opcionales no recibe la persona; los demás se envían siempre',
    access: 'sender',
    body: emailPreferences,
    response: emailPreferences,
    failures: ['too_many_requests'],
  }),
};
