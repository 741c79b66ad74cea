import { z } from 'zod';

/** What is said about fields of texts; the codes are in `field-problems.ts`. */
export const unusableMessage = 'Hay caracteres que no se pueden usar';
export const nameTooShortMessage = 'Nombre debe tener al menos 2 caracteres';
export const nameLettersMessage = 'Escribe el nombre con letras';
export const nameLinkMessage = 'Escribe solo el nombre, sin enlaces ni los signos / y @';

/** What a field may hold at most, as a sentence. */
export const tooLong = (most: number) => `Usa como máximo ${most} caracteres`;

/**
 * One line as a person types it, trimmed. Refused are control characters (PostgreSQL cannot keep U+0000 at all), half
 * surrogate pairs, and characters that are invisible or turn the direction of writing: an admin decides by what is shown.
 */
export const line = (most: number, error?: string) =>
  z
    .string(error === undefined ? undefined : { error })
    .trim()
    .max(most, tooLong(most))
    .regex(/^[^\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]*$/u, unusableMessage);

/** As `line`, with line breaks and tabs allowed, and with the invisible joiners that emoji are made with. */
export const paragraph = (most: number) =>
  z
    .string()
    .trim()
    .max(most, tooLong(most))
    .regex(/^(?:[^\p{Cc}\p{Cs}\p{Bidi_Control}]|[\n\r\t])*$/u, unusableMessage);

/**
 * A person's name, as `line`, with at least one letter. It is shown to others and greets in e-mails, so nothing that a mail
 * program could turn into a link is taken.
 */
export const personName = (most: number, error?: string) =>
  line(most, error)
    .regex(/^$|\p{L}/u, nameLettersMessage)
    .regex(/^(?!.*[wW]{3}\.)[^/@]*$/, nameLinkMessage);
