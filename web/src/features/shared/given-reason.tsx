import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { declinedMax, type OwnReason, ownReasonOf } from '#core/transfers/own-reasons';

const ownReasonTexts = {
  not_reviewed: msg`No se revisó a tiempo y la reserva en la tarjeta se liberó. No se cobró nada.`,
  authorization_lost: msg`La reserva en la tarjeta terminó antes de cobrarse. No se cobró nada.`,
  day_limit_reached: msg`Con este envío superabas tu límite de 24 horas. Liberamos la reserva en tu tarjeta: no se cobró nada.`,
  month_limit_reached: msg`Con este envío superabas tu límite de 30 días. Liberamos la reserva en tu tarjeta: no se cobró nada.`,
  declined_too_often: msg`La tarjeta fue rechazada ${{ declinedMax }} veces. No se cobró nada.`,
  not_corrected: msg`La cuenta no se corrigió a tiempo: tu dinero vuelve completo a tu tarjeta.`,
} as const satisfies Record<OwnReason, unknown>;

/** A stored reason as the reader may understand it; null for the words of a person or a bank, which are shown as they were written. */
export function ownReasonText(stored: string): string | null {
  const reason = ownReasonOf(stored);
  return reason ? i18n._(ownReasonTexts[reason]) : null;
}

/** Why a transfer ended or stopped: our own reasons in the page's language, others as a person or a bank wrote them in Spanish. */
export function GivenReason({ reason }: { reason: string }) {
  return ownReasonText(reason) ?? <span lang="es-BO">{reason}</span>;
}
