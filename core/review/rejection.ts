/**
 * Why an admin rejects a transfer: stored as a code, with the sentence that its sender reads in Spanish. None says more than its sender may
 * know.
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

/** A stored rejection: the code, and the verbatim note to the sender, in Spanish. */
export interface Rejection {
  readonly code: RejectionCode;
  readonly note: string | null;
}

/** The whole reason in Spanish, for those who read no codes. */
export function rejectionReason({ code, note }: Rejection): string {
  return note ? `${rejectionSentences[code]} ${note}` : rejectionSentences[code];
}
