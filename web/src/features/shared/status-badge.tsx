import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import {
  IconArrowBackUp,
  IconBan,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconClockOff,
  IconCreditCard,
  IconExclamationCircle,
} from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { Rejection, RejectionCode } from '#core/review/rejection';
import { declinedMax, type OwnReason, ownReasonOf } from '#core/transfers/own-reasons';
import type { TransferStatus } from '#core/transfers/states';
import { type Tone, ToneBadge } from '../../ui/tone-badge.tsx';

const variants = {
  awaiting_payment: { tone: 'quiet', Icon: IconCreditCard },
  pending: { tone: 'wait', Icon: IconClock },
  completed: { tone: 'good', Icon: IconCircleCheck },
  rejected: { tone: 'bad', Icon: IconCircleX },
  cancelled: { tone: 'quiet', Icon: IconBan },
  failed: { tone: 'bad', Icon: IconExclamationCircle },
  expired: { tone: 'quiet', Icon: IconClockOff },
  refunded: { tone: 'quiet', Icon: IconArrowBackUp },
} as const satisfies Record<TransferStatus, { tone: Tone; Icon: typeof IconClock }>;

const labels = {
  awaiting_payment: msg`Por pagar`,
  pending: msg`EN PROCESO`,
  completed: msg`Completado`,
  rejected: msg`Rechazado`,
  cancelled: msg`Cancelado`,
  failed: msg`Fallido`,
  expired: msg`Vencido`,
  refunded: msg`Reembolsado`,
} as const satisfies Record<TransferStatus, unknown>;

/** The label of a status as its sender reads it. */
export const statusLabel = (status: TransferStatus): string => i18n._(labels[status]);

/** A transfer's status: colour, icon and label. It pulses once when the status changes before the person's eyes. */
export function StatusBadge({
  status,
  label,
  tone = variants[status].tone,
  Icon = variants[status].Icon,
  size = 'lg',
}: {
  status: TransferStatus;
  label?: string;
  /** Where a label of its own says something else than the status does. */
  tone?: Tone;
  Icon?: typeof IconClock;
  size?: 'md' | 'lg';
}) {
  const before = useRef(status);
  const [changed, setChanged] = useState(false);
  useEffect(() => {
    if (before.current === status) return;
    before.current = status;
    setChanged(true);
  }, [status]);
  return (
    <ToneBadge
      key={status}
      tone={tone}
      Icon={Icon}
      size={size}
      data-status={status}
      {...(changed && { className: 'cq-pulse' })}
    >
      {label ?? statusLabel(status)}
    </ToneBadge>
  );
}

const ownReasonTexts = {
  not_reviewed: msg`No se revisó a tiempo y la reserva en la tarjeta se liberó. No se cobró nada.`,
  authorization_lost: msg`La reserva en la tarjeta terminó antes de cobrarse. No se cobró nada.`,
  day_limit_reached: msg`Con este envío superabas tu límite de 24 horas. Liberamos la reserva en tu tarjeta: no se cobró nada.`,
  month_limit_reached: msg`Con este envío superabas tu límite de 30 días. Liberamos la reserva en tu tarjeta: no se cobró nada.`,
  reminder_paid: msg`Ya pagaste este envío que se repite con otro pago. Liberamos la reserva en tu tarjeta: no se cobró nada.`,
  account_declined_too_often: msg`Se rechazaron demasiadas tarjetas en tu cuenta. Por seguridad podrás volver a pagar cuando pase un día. No se cobró nada.`,
  network_declined_too_often: msg`Se rechazaron demasiadas tarjetas desde tu conexión. Vuelve a intentarlo en una hora. No se cobró nada.`,
  card_declined_too_often: msg`Esta tarjeta fue rechazada demasiadas veces en un día. Prueba con otra. No se cobró nada.`,
  declined_too_often: msg`La tarjeta fue rechazada ${{ declinedMax }} veces. No se cobró nada.`,
  not_corrected: msg`La cuenta no se corrigió a tiempo: tu dinero vuelve completo a tu tarjeta.`,
  not_paid_out: msg`El banco no pudo pagar a esa cuenta: tu dinero vuelve completo a tu tarjeta.`,
} as const satisfies Record<OwnReason, unknown>;

/** What a sender reads of each code that a transfer was rejected with. */
export const rejectionTexts = {
  recipient_unverified: msg`No pudimos comprobar los datos de quien recibe.`,
  card_not_own: msg`La tarjeta no parece ser tuya: paga con una tarjeta a tu nombre.`,
  purpose_unclear: msg`No pudimos entender para qué es este envío.`,
  duplicate: msg`Este envío parece repetido: ya hiciste otro igual.`,
  outside_policy: msg`No podemos hacer este envío según nuestras condiciones.`,
  suspected_fraud: msg`No podemos hacer este envío por razones de seguridad.`,
  legal: msg`No podemos hacer este envío por obligaciones legales.`,
} as const satisfies Record<RejectionCode, unknown>;

/** A stored reason as the reader may understand it; null for the words of a person or a bank, which are shown as they were written. */
export function ownReasonText(stored: string): string | null {
  const reason = ownReasonOf(stored);
  return reason ? i18n._(ownReasonTexts[reason]) : null;
}

/** Why a transfer ended or stopped: our own reasons in the page's language, others as a person or a bank wrote them in Spanish. */
export function GivenReason({ reason, rejection = null }: { reason: string; rejection?: Rejection | null }) {
  if (rejection)
    return (
      <>
        {i18n._(rejectionTexts[rejection.code])}
        {rejection.note && <span lang="es-BO"> {rejection.note}</span>}
      </>
    );
  return ownReasonText(reason) ?? <span lang="es-BO">{reason}</span>;
}
