import { z } from 'zod';

/** What people get to read when a text holds what the database, a bank or a screen cannot. */
const refused = 'Hay caracteres que no se pueden usar';

const tooLong = (most: number) => `Usa como máximo ${most} caracteres`;

/** One line as a person types it, trimmed. Control characters are refused: PostgreSQL cannot keep U+0000 at all. */
export const line = (most: number, error?: string) =>
  z
    .string(error === undefined ? undefined : { error })
    .trim()
    .max(most, tooLong(most))
    .regex(/^\P{Cc}*$/u, refused);

/** As `line`, with line breaks and tabs allowed. */
export const paragraph = (most: number) =>
  z
    .string()
    .trim()
    .max(most, tooLong(most))
    .regex(/^[\P{Cc}\n\r\t]*$/u, refused);

/**
 * A person's name, as `line`. It is shown to others and greets in e-mails, so nothing that a mail program could turn into a
 * link is taken.
 */
export const personName = (most: number, error?: string) =>
  line(most, error).regex(/^(?!.*[wW]{3}\.)[^/@]*$/, 'Escribe solo el nombre, sin enlaces ni los signos / y @');
