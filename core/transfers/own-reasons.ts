/** Declined attempts after which a payment takes no more, so that stolen cards cannot be tried out on one payment. */
export const declinedMax = 10;

/**
 * Why a transfer ended, where no person and no bank gives the reason but we do. It is stored with the transfer as it stands here;
 * who shows it in another language finds its sentence by it.
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

/** How the stored reason of a payout that failed begins, by what the bank did; the bank's own words follow. */
const bankReasons = { refused: 'El banco no pudo pagar: ', returned: 'El banco devolvió el pago: ' } as const;

/** The reason to store of a payout that the bank refused or returned, with the bank's words. */
export const bankReason = (did: keyof typeof bankReasons, words: string): string => `${bankReasons[did]}${words}`;

/** The bank's own words of a stored reason; what no bank gave is returned as it is. */
export function bankWordsOf(stored: string): string {
  const start = Object.values(bankReasons).find((known) => stored.startsWith(known));
  return stored.slice(start?.length ?? 0);
}

/** Which of our own reasons a stored one is; undefined for what a person or a bank wrote. */
export function ownReasonOf(stored: string): OwnReason | undefined {
  return (Object.keys(ownReasons) as OwnReason[]).find((name) => ownReasons[name] === stored);
}
