import { z } from 'zod';
import { line, personName } from '../contracts/text.ts';

const text = (least: number, most: number, message: string) => line(most, message).min(least, message);

const nameTooShort = 'Nombre debe tener al menos 2 caracteres';

/**
 * What a recipient must have, with the specification's words (section 5). Used as it is by the browser's form and by the
 * server. Upper bounds are ours: they keep a row within what the bank's API accepts.
 */
export const recipientInput = z.object({
  name: personName(100, nameTooShort).min(2, nameTooShort),
  email: z
    .string('Email inválido')
    .trim()
    .pipe(z.union([z.literal(''), z.email('Email inválido').max(254, 'Email inválido')], 'Email inválido'))
    .default(''),
  phone: text(8, 20, 'Número de teléfono debe tener al menos 8 caracteres').regex(
    /^\+?[0-9][0-9 ()-]*$/,
    'Usa solo números, espacios, guiones y el signo +',
  ),
  ci: text(5, 20, 'Número de CI debe tener al menos 5 caracteres').regex(
    /^[0-9A-Za-z][0-9A-Za-z -]*$/,
    'Usa solo números, letras y guiones',
  ),
  bankName: text(2, 80, 'Banco de destino es requerido'),
  bankAccount: text(5, 30, 'Número de cuenta bancaria debe tener al menos 5 caracteres').regex(
    /^\+?[0-9][0-9 -]*$/,
    'Usa solo números, espacios y guiones',
  ),
  address: text(5, 200, 'Dirección debe tener al menos 5 caracteres'),
  city: text(2, 80, 'Ciudad es requerida'),
  relationship: line(40).default(''),
});

/** A recipient as the sender types it; `email` and `relationship` are empty when not given. */
export type RecipientInput = z.output<typeof recipientInput>;
