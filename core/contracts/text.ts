import { z } from 'zod';
import { fieldSentences } from './field-problems.ts';

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
    .regex(/^[^\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]*$/u, fieldSentences.unusable_characters);

/** As `line`, with line breaks and tabs allowed, and with the invisible joiners that emoji are made with. */
export const paragraph = (most: number) =>
  z
    .string()
    .trim()
    .max(most, tooLong(most))
    .regex(/^(?:[^\p{Cc}\p{Cs}\p{Bidi_Control}]|[\n\r\t])*$/u, fieldSentences.unusable_characters);

/**
 * A person's name, as `line`, with at least one letter. It is shown to others and greets in e-mails, so nothing that a mail
 * program could turn into a link is taken.
 */
export const personName = (most: number, error?: string) =>
  line(most, error)
    .regex(/^$|\p{L}/u, fieldSentences.name_without_letters)
    .regex(/^(?!.*[wW]{3}\.)[^/@]*$/, fieldSentences.name_with_link);
