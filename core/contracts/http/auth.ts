import { z } from 'zod';
import { line } from '../../text.ts';
import { endpoint } from './endpoint.ts';
import { id } from './values.ts';

export const occupations = ['estudiante', 'empleado', 'autonomo', 'empresario', 'otro'] as const;

const email = z
  .string({ error: 'Correo electrónico requerido' })
  .trim()
  .toLowerCase()
  .max(254, 'Correo electrónico inválido')
  .pipe(z.email('Correo electrónico inválido'));

export const userView = z.object({
  id,
  email: z.string(),
  name: z.string(),
  phone: z.string().nullable(),
  city: z.string().nullable(),
  role: z.enum(['user', 'admin']),
  /** False until the first transfer: the form then asks for the date of birth. */
  birthDateKnown: z.boolean(),
});
export type UserView = z.infer<typeof userView>;

/** `token` is the session's public id, no secret: the secret travels in an httpOnly cookie only. */
export const sessionView = z.object({ token: id, user: userView });
export type SessionView = z.infer<typeof sessionView>;

export const authEndpoints = {
  register: endpoint({
    method: 'POST',
    path: '/api/auth/register',
    summary: 'Crea una cuenta e inicia sesión',
    access: 'public',
    body: z.object({
      name: line(100, 'Nombre requerido').min(2, 'Nombre debe tener al menos 2 caracteres'),
      email,
      password: z
        .string({ error: 'Contraseña requerida' })
        .min(8, 'La contraseña debe tener al menos 8 caracteres')
        .max(200, 'Usa como máximo 200 caracteres'),
      phone: line(30).optional(),
      city: line(80).optional(),
      occupation: z.enum(occupations).optional(),
      acceptedTerms: z.literal(true, { error: 'Debes aceptar los términos y condiciones para continuar' }),
    }),
    response: sessionView,
    status: 201,
    failures: ['email_taken', 'too_many_requests'],
  }),
  login: endpoint({
    method: 'POST',
    path: '/api/auth/login',
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
  logout: endpoint({ method: 'POST', path: '/api/auth/logout', summary: 'Cierra la sesión', access: 'public' }),
  me: endpoint({
    method: 'GET',
    path: '/api/auth/me',
    summary: 'La sesión actual',
    access: 'sender',
    response: sessionView,
  }),
};
