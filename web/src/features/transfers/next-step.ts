import { t } from '@lingui/core/macro';
import type { TransferView } from '#core/contracts/http/transfers';
import { formatLongDay, formatMoment } from '../../lib/format/dates.ts';
import { hasRefundFailed, isPastArrival, lacksRecipient } from './transfer-labels.ts';

/** What a transfer that is under way waits for, in a sentence. */
export interface NextStep {
  readonly title: string;
  /** When it is expected, or until when it can be done, and what happens then; empty where nothing is known of it. */
  readonly when: string;
  /** Its sender has to do it. */
  readonly isYours: boolean;
}

/** The next step of a transfer at a moment (ms); null for one that is not paid or has ended. An arrival that has passed is not promised again. */
export function nextStep(transfer: TransferView, now: number): NextStep | null {
  const day = formatLongDay(transfer.estimatedDelivery);
  const isLate = isPastArrival(transfer, now);
  const arrives = isLate ? '' : t`llega hacia el ${day}`;
  const cancelling = { title: t`Lo estamos cancelando`, when: '', isYours: false };
  switch (transfer.state) {
    case 'in_review':
      return reviewStep(transfer, arrives);
    case 'approved':
      return transfer.cancelRequested
        ? cancelling
        : { title: t`Aprobado: se cobra tu tarjeta`, when: arrives || delayedText(), isYours: false };
    case 'captured':
      if (transfer.cancelRequested)
        return { ...cancelling, when: t`si el banco no lo pagó, tu dinero vuelve a tu tarjeta` };
      if (!isLate) return { title: t`El banco lo paga hacia el ${day}`, when: '', isYours: false };
      return { title: t`El banco todavía no confirmó el pago`, when: delayedText(), isYours: false };
    case 'payout_failed': {
      const until = transfer.correctAccountBy && formatMoment(transfer.correctAccountBy);
      if (until) return { title: t`Corrige la cuenta`, when: t`hasta el ${until}`, isYours: true };
      return transfer.cancellable
        ? { title: t`El depósito no se hizo`, when: t`puedes pedir tu dinero de vuelta`, isYours: true }
        : { title: t`El depósito no se hizo`, when: t`lo estamos resolviendo`, isYours: false };
    }
    case 'refunding':
      if (hasRefundFailed(transfer))
        return {
          title: t`Te debemos este dinero`,
          when: t`te escribiremos para pagarte de otra forma`,
          isYours: false,
        };
      return { title: t`Vuelve a tu tarjeta`, when: t`tu banco puede tardar unos días en mostrarlo`, isYours: false };
    default:
      return null;
  }
}

/** The same whether it waits for the bank, for us or for the end of a money stop. */
const delayedText = () => t`se retrasa; te avisamos cuando llegue`;

/** Before the decision. What the card's hold leaves of time is said where the sender has to act, or the arrival has passed. */
function reviewStep(transfer: TransferView, arrives: string): NextStep {
  const until = transfer.decideBy && formatMoment(transfer.decideBy);
  const when = until ? t`hasta el ${until}` : '';
  if (lacksRecipient(transfer)) return { title: t`Elige quién recibe`, when, isYours: true };
  if (transfer.questions === 'waiting') return { title: t`Responde nuestra pregunta`, when, isYours: true };
  if (arrives || !until) return { title: t`Lo estamos revisando`, when: arrives, isYours: false };
  return { title: t`Lo revisamos: a más tardar el ${until}`, when: t`si no, no se cobra nada`, isYours: false };
}
