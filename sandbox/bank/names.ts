/** Whose an account at the simulated bank is: it makes up an answer from the name in the question, and stores neither. */
import { z } from 'zod';

export const nameInquirySchema = z.strictObject({
  name: z.string().trim().min(1).max(200),
  bankName: z.string().trim().min(1).max(200),
  bankAccount: z.string().trim().min(1).max(200),
});

/** How questions are answered. `holder`: with the name as the bank writes it, for the product to compare. */
export const nameModes = ['holder', 'match', 'close_match', 'no_match', 'not_supported'] as const;
export type NameMode = (typeof nameModes)[number];

export type NameAnswer = { result: Exclude<NameMode, 'not_supported'>; holder: string } | { result: 'not_supported' };

/** The answer to a question in a mode. Wallets never say whose they are. */
export function answerName({ name, bankName }: z.infer<typeof nameInquirySchema>, mode: NameMode): NameAnswer {
  if (mode === 'not_supported' || bankName === 'Tigo Money') return { result: 'not_supported' };
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase();
  const words = plain.split(/\s+/);
  switch (mode) {
    case 'holder': {
      const surnames = words.length > 2 ? 2 : words.length - 1;
      const given = words.length - surnames;
      return { result: mode, holder: [...words.slice(given), ...words.slice(0, given)].join(' ') };
    }
    case 'match':
      return { result: mode, holder: plain };
    case 'close_match':
      return {
        result: mode,
        holder: [...words.slice(0, -1), words.at(-1)?.startsWith('Q') ? 'CONDORI' : 'QUISPE'].join(' '),
      };
    case 'no_match':
      return { result: mode, holder: 'JAVIER ROJAS TERRAZAS' };
  }
}
