import { z } from 'zod';
import { mixesAlphabets } from '../accounts/names.ts';
import { fieldSentences } from './field-problems.ts';

/** What a field may hold at most, as a sentence. */
export const tooLong = (most: number) => `Usa como máximo ${most} caracteres`;

/**
 * One line of typed text, trimmed. Rejects control characters (PostgreSQL cannot store U+0000), half surrogate pairs,
 * and characters that are invisible or change the writing direction, because admins decide by what they see.
 */
export const line = (most: number, error?: string) => asLine(text(error), most);

const text = (error?: string) => z.string(error === undefined ? undefined : { error });
const asLine = (typed: z.ZodString, most: number) =>
  typed
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
 * A person's name: a `line` normalised to NFKC, with at least one letter and a single alphabet per word. It is shown to
 * others and used in e-mails, so anything that a mail program could turn into a link is rejected.
 */
export const personName = (most: number, error?: string) =>
  asLine(text(error).normalize('NFKC'), most)
    .regex(/^$|\p{L}/u, fieldSentences.name_without_letters)
    .regex(/^(?!.*(?:[wW]{3}[.。]|[\p{L}\d][.。][\p{L}\d]{2}))[^/@]*$/u, fieldSentences.name_with_link)
    .refine((name) => !mixesAlphabets(name), fieldSentences.name_mixed_alphabets);
