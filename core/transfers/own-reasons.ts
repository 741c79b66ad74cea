/** Maximum declined attempts per payment, so that stolen cards cannot be tested on it. */
export const declinedMax = 10;

/**
 * Reasons for a transfer's end that come from us, not from a person or a bank. Stored verbatim with the transfer;
 * translations are looked up by this text.
 */
export const ownReasons = {
  not_reviewed: 'No se revisó a tiempo y la reserva en la tarjeta se liberó. No se cobró nada.',
  authorization_lost: 'La reserva en la tarjeta terminó antes de cobrarse. No se cobró nada.',
  day_limit_reached:
    'Con este envío superabas tu límite de 24 horas. Liberamos la reserva en tu tarjeta: no se cobró nada.',
  month_limit_reached:
    'Con este envío superabas tu límite de 30 días. Liberamos la reserva en tu tarjeta: no se cobró nada.',
  reminder_paid:
    'Ya pagaste este envío que se repite con otro pago. Liberamos la reserva en tu tarjeta: no se cobró nada.',
  account_declined_too_often:
    'Se rechazaron demasiadas tarjetas en tu cuenta. Por seguridad podrás volver a pagar cuando pase un día. No se cobró nada.',
  network_declined_too_often:
    'Se rechazaron demasiadas tarjetas desde tu conexión. Vuelve a intentarlo en una hora. No se cobró nada.',
  card_declined_too_often: 'Esta tarjeta fue rechazada demasiadas veces en un día. Prueba con otra. No se cobró nada.',
  declined_too_often: `La tarjeta fue rechazada ${declinedMax} veces. No se cobró nada.`,
  not_corrected: 'La cuenta no se corrigió a tiempo: tu dinero vuelve completo a tu tarjeta.',
  not_paid_out: 'El banco no pudo pagar a esa cuenta: tu dinero vuelve completo a tu tarjeta.',
} as const;

export type OwnReason = keyof typeof ownReasons;

/** Prefix of the stored reason of a failed payout, by what the bank did; the bank's own text follows. */
const bankReasons = { refused: 'El banco no pudo pagar: ', returned: 'El banco devolvió el pago: ' } as const;

/** The stored reason of a payout that the bank refused or returned, with the bank's text. */
export const bankReason = (did: keyof typeof bankReasons, text: string): string => `${bankReasons[did]}${text}`;

/** The bank's own text within a stored reason; reasons from elsewhere are returned unchanged. */
export function bankWordsOf(stored: string): string {
  const start = Object.values(bankReasons).find((known) => stored.startsWith(known));
  return stored.slice(start?.length ?? 0);
}

/** Which of our own reasons a stored one is; undefined for what a person or a bank wrote. */
export function ownReasonOf(stored: string): OwnReason | undefined {
  return (Object.keys(ownReasons) as OwnReason[]).find((name) => ownReasons[name] === stored);
}
