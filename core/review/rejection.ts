/**
 * Why an admin rejects a transfer, with what its sender reads in Spanish. It is stored with the transfer as it stands here; who shows it in
 * another language finds its sentence by it. None says more than its sender may know.
 */
export const rejectionSentences = {
  recipient_unverified: 'No pudimos comprobar los datos de quien recibe.',
  card_not_own: 'La tarjeta no parece ser tuya: paga con una tarjeta a tu nombre.',
  purpose_unclear: 'No pudimos entender para qué es este envío.',
  duplicate: 'Este envío parece repetido: ya hiciste otro igual.',
  outside_policy: 'No podemos hacer este envío según nuestras condiciones.',
  suspected_fraud: 'No podemos hacer este envío por razones de seguridad.',
  legal: 'No podemos hacer este envío por obligaciones legales.',
} as const;

export type RejectionCode = keyof typeof rejectionSentences;
export const rejectionCodes = Object.keys(rejectionSentences) as [RejectionCode, ...RejectionCode[]];

/** What is stored as the reason: the sentence of the code, the note to the sender as it was typed, or both; null when neither was given. */
export function rejectionReason(code: RejectionCode | undefined, note: string | undefined): string | null {
  const parts = [code && rejectionSentences[code], note].filter(Boolean);
  return parts.length === 0 ? null : parts.join(' ');
}

/** The code and the note of a stored reason; null for one that a person wrote alone, a bank, or the product itself. */
export function readRejection(stored: string): { code: RejectionCode; note: string | null } | null {
  const code = rejectionCodes.find((name) => `${stored} `.startsWith(`${rejectionSentences[name]} `));
  if (code === undefined) return null;
  return { code, note: stored.slice(rejectionSentences[code].length + 1) || null };
}
