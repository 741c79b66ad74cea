import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import type { TransferView } from '#core/contracts/http/transfers';
import { formatMinor, parseMinor } from '#core/money/money';
import { isPastEstimate } from '#core/transfers/delivery';
import { ownReasons } from '#core/transfers/own-reasons';
import { returnedToCard } from '#core/transfers/refund';
import type { TransferState } from '#core/transfers/states';
import { formatLongDay, formatTime } from '../../lib/format/dates.ts';
import { formatAmount, formatBolivianos } from '../../lib/format/money.ts';
import { arriving } from '../shared/arriving.ts';

type Step = TransferView['timeline'][number];

const stepLabels = {
  awaiting_payment: msg`Envío preparado`,
  in_review: msg`Pago recibido: el monto está reservado en tu tarjeta`,
  approved: msg`Envío aprobado`,
  captured: msg`Tarjeta cobrada, el dinero va a Bolivia`,
  completed: msg`Depositado en Bolivia`,
  rejected: msg`Rechazado: se liberó la reserva, no se cobró nada`,
  cancelled: msg`Cancelado por ti: no se cobró nada`,
  failed: msg`No se pudo cobrar la tarjeta; no se cobró nada`,
  expired: msg`Vencido: no se cobró nada`,
  refunded: msg`Devuelto completo a tu tarjeta`,
} as const satisfies Record<Exclude<TransferState, 'refunding' | 'payout_failed'>, unknown>;

/** What a step of a transfer's history means to its sender; some steps mean what the ones before them make of them. */
export function stepLabel(transfer: TransferView, index: number): string {
  const { timeline, refund, returned } = transfer;
  const step = timeline[index];
  if (!step) return '';
  const before = timeline[index - 1];
  if (step.state === 'refunding') return refundingLabel(step, before, transfer);
  if (step.state === 'captured' && before?.state === 'payout_failed') return t`Cuenta corregida`;
  if (step.state === 'payout_failed') {
    const happened = before?.state === 'completed' ? t`El banco devolvió el depósito` : t`El banco no pudo pagar`;
    // Once something followed, there is nothing left to choose.
    if (index < timeline.length - 1) return happened;
    return isCorrectable(transfer)
      ? t`${happened}: corrige la cuenta o pide tu dinero de vuelta`
      : t`${happened}: tu dinero está con nosotros`;
  }
  if (step.state === 'completed' && before?.state === 'completed')
    return t`El banco pagó otra vez, por lo que reportaste`;
  // What the card does not take is paid back by bank transfer. An earlier refund went to the card and bounced.
  if (step.state === 'refunded' && index === timeline.length - 1 && minor(refund?.byBank ?? '0.00') > 0n)
    return refund?.byBank === returned
      ? t`Devuelto completo por transferencia bancaria`
      : t`Devuelto completo: una parte por transferencia bancaria y otra a tu tarjeta`;
  return i18n._(stepLabels[step.state]);
}

function refundingLabel(
  { owner }: Step,
  before: Step | undefined,
  { cancelRequested, reason }: Pick<TransferView, 'cancelRequested' | 'reason'>,
): string {
  if (before?.state === 'refunded')
    return t`La devolución no llegó a tu tarjeta: te escribiremos para pagarte de otra forma`;
  if (cancelRequested && before?.state === 'captured') return t`Cancelado por ti: tu dinero vuelve a tu tarjeta`;
  switch (owner) {
    case 'sender':
      return t`Pediste tu dinero de vuelta: vuelve a tu tarjeta`;
    case 'payments':
      return t`Tu dinero vuelve a tu tarjeta`;
    case 'clock':
      if (reason === ownReasons.not_paid_out) return t`El banco no pudo pagar: tu dinero vuelve a tu tarjeta`;
      return t`La cuenta no se corrigió a tiempo: tu dinero vuelve a tu tarjeta`;
    default:
      return t`El banco no pudo pagar: tu dinero vuelve a tu tarjeta`;
  }
}

/** Whether a refund did not stay on the card and none is under way: the sender is owed the money. */
export function hasRefundFailed({ state, refund }: Pick<TransferView, 'state' | 'refund'>): boolean {
  return state === 'refunding' && refund?.state === 'failed';
}

/** Whether the sender of a payout that failed may name another account. */
export const isCorrectable = ({ correctAccountBy }: Pick<TransferView, 'correctAccountBy'>): boolean =>
  correctAccountBy !== null;

/** Whether the bank gave a deposit back that it had made. */
export function wasDepositReturned({ timeline }: Pick<TransferView, 'timeline'>): boolean {
  return timeline.some(({ state }) => state === 'completed');
}

/** What the status badge says where the coarse status would mislead; null where it does not. */
export function attentionLabel(
  transfer: Pick<TransferView, 'refund' | 'questions' | 'correctAccountBy'> & RestFigures,
): string | null {
  if (transfer.questions === 'waiting') return t`RESPONDE`;
  if (transfer.state === 'payout_failed') return isCorrectable(transfer) ? t`REVISA LA CUENTA` : t`DEPÓSITO FALLIDO`;
  if (owedRest(transfer) > 0n) return t`FALTA UNA PARTE`;
  return hasRefundFailed(transfer) ? t`TE DEBEMOS DINERO` : null;
}

/** What the status badge says while the money is on its way back, or a cancellation waits: the coarse status says neither. */
export function returningLabel({ state, cancelPending }: Pick<TransferView, 'state' | 'cancelPending'>): string | null {
  if (cancelPending) return t`CANCELANDO`;
  return state === 'refunding' ? t`EN DEVOLUCIÓN` : null;
}

/** The same as `attentionLabel` in a sentence. */
export function attentionNote(
  transfer: Pick<TransferView, 'refund' | 'timeline' | 'questions'> & RestFigures,
): string | null {
  if (transfer.questions === 'waiting') return t`Te hicimos una pregunta`;
  if (owedRest(transfer) > 0n) return t`El banco devolvió una parte`;
  if (transfer.state !== 'payout_failed')
    return hasRefundFailed(transfer) ? t`La devolución no llegó a tu tarjeta` : null;
  return wasDepositReturned(transfer) ? t`El banco devolvió el depósito` : t`El banco no pudo pagar a esta cuenta`;
}

/** Why a transfer ended as it did, when that still stands; null for the sender's own decisions and for what goes on. */
export function endReason(transfer: TransferView): string | null {
  const { reason, status, cancelRequested } = transfer;
  const isOver = status !== 'pending' && status !== 'completed' && status !== 'cancelled';
  return isOver && !cancelRequested && !hasRefundFailed(transfer) ? reason : null;
}

/** A step that has not happened yet, and when it is expected. */
interface ExpectedStep {
  readonly title: string;
  readonly when: string;
}

/** What comes next at a moment (ms), nearest first; nothing once it has ended. A day that has passed is not promised again. */
export function expectedSteps(transfer: TransferView, now: number): ExpectedStep[] {
  const [day, payBy] = [formatLongDay(transfer.estimatedDelivery), formatTime(transfer.quoteExpiresAt)];
  const when = isPastArrival(transfer, now) ? t`Se retrasa: se esperaba el ${day}` : t`Hacia el ${day}`;
  const deposit = { title: t`Depósito en Bolivia`, when };
  const charge = { title: t`Cobro de tu tarjeta`, when: t`Apenas se aprueba` };
  switch (transfer.state) {
    case 'awaiting_payment':
      return [{ title: t`Pago con tu tarjeta`, when: t`Hasta las ${payBy}` }, deposit];
    case 'in_review':
      return [{ title: t`Aprobación`, when: t`Una persona lo está revisando` }, charge, deposit];
    case 'approved':
      return transfer.cancelRequested ? [undoing(transfer)] : [{ ...charge, when: t`En unos momentos` }, deposit];
    case 'captured':
      if (transfer.cancelRequested) return [undoing(transfer)];
      if (!isCorrected(transfer)) return [deposit];
      // The day was promised for the account before.
      return [
        checkOfAccount(),
        isPastArrival(transfer, now) ? { ...deposit, when: t`Apenas el banco lo confirme` } : deposit,
      ];
    case 'payout_failed':
      if (isCorrectable(transfer))
        return [{ title: t`Tu decisión`, when: t`Corrige la cuenta o pide tu dinero de vuelta` }];
      return transfer.cancellable ? [{ title: t`Tu decisión`, when: t`Puedes pedir tu dinero de vuelta` }] : [];
    case 'refunding':
      if (hasRefundFailed(transfer)) return [{ title: t`Devolución por otro medio`, when: t`Te escribiremos` }];
      return [{ title: t`Devolución completa`, when: t`Tu banco puede tardar unos días en mostrarla` }];
    default:
      return [];
  }
}

/** Whether the account of a payout that failed was corrected last. */
const isCorrected = ({ timeline }: TransferView): boolean => timeline.at(-2)?.state === 'payout_failed';

/** Told of every corrected account alike: whether a name on it resembles a listed one is nothing that may be told. */
const checkOfAccount = (): ExpectedStep => ({
  title: t`Revisamos los datos de la nueva cuenta`,
  when: t`Antes de que el banco pague otra vez`,
});

/** What was charged is returned once it is certain that the bank did not pay. */
const undoing = ({ state }: TransferView): ExpectedStep => ({
  title: t`Cancelación`,
  when:
    state === 'captured'
      ? t`Preguntamos al banco: si no pagó, tu dinero vuelve a tu tarjeta`
      : t`Pediste cancelar: lo estamos deshaciendo`,
});

/** Whether the day on which the deposit was expected is over at a moment (ms). */
export const isPastArrival = ({ estimatedDelivery }: Pick<TransferView, 'estimatedDelivery'>, now: number): boolean =>
  isPastEstimate(new Date(estimatedDelivery), new Date(now));

/** Whether a charged transfer should have been deposited by now, to the account that its sender gave first. */
export const isDelayed = (transfer: TransferView, now: number): boolean =>
  transfer.state === 'captured' && !transfer.cancelRequested && !isCorrected(transfer) && isPastArrival(transfer, now);

/** Whether something is unresolved, so that sending the same again should not be the main action. */
export const isUnresolved = (transfer: TransferView, now: number): boolean =>
  transfer.cancelPending ||
  transfer.state === 'payout_failed' ||
  transfer.state === 'refunding' ||
  isDelayed(transfer, now) ||
  owedRest(transfer) > 0n;

/** Whether it is paid and nobody was chosen yet to receive it. */
export const lacksRecipient = ({ state, recipientId }: Pick<TransferView, 'state' | 'recipientId'>): boolean =>
  state === 'in_review' && recipientId === null;

/** What cancelling does to the money of a transfer as it stands. */
export function moneyWhenCancelled(transfer: TransferView): string {
  const amount = notReturned(transfer);
  switch (transfer.state) {
    case 'awaiting_payment':
      return t`Todavía no pagaste este envío. Se cierra y no se cobra nada.`;
    case 'in_review':
      return t`Los ${amount} están reservados en tu tarjeta, no cobrados. La reserva se libera y no pagas nada. Tu banco puede tardar unos días en mostrarlo.`;
    case 'payout_failed':
      if (hasReturned(transfer))
        return t`El banco ya no intenta pagar. Te devolvemos los ${amount} que faltan a tu tarjeta. Tu banco puede tardar unos días en mostrarlo.`;
      return t`El banco ya no intenta pagar. Te devolvemos los ${amount} completos, comisión incluida, a tu tarjeta. Tu banco puede tardar unos días en mostrarlo.`;
    case 'captured':
      return t`Si el banco todavía no depositó el dinero, te devolvemos los ${amount} completos, comisión incluida. Si ya lo depositó, el envío no se puede cancelar. Te avisamos qué pasó.`;
    default:
      return t`Si tu tarjeta todavía no se cobró, la reserva se libera. Si ya se cobró, te devolvemos los ${amount} completos, comisión incluida. Tu banco puede tardar unos días en mostrarlo.`;
  }
}

/** What is left of a time, "12:05"; ms. Seconds are counted up, so that 0:00 means over. */
export function countdownText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Whether it may be cancelled at a moment (ms): what the server said holds until the hour it said. */
export function canCancel({ cancellable, cancellableUntil }: TransferView, now: number): boolean {
  return cancellable && (cancellableUntil === null || now <= Date.parse(cancellableUntil));
}

/** The recipient's name; a transfer may still be without one. */
export const nameOf = (transfer: TransferView) => transfer.recipient || t`Sin destinatario`;

const minor = (amount: string) => parseMinor(amount) ?? 0n;

/** Whether some of what the sender paid has gone back. */
export const hasReturned = ({ returned }: Pick<TransferView, 'returned'>) => minor(returned) > 0n;

/** Whether the bank gave some of its payment back. */
export const hasPayoutReturned = ({ payoutReturned }: Pick<TransferView, 'payoutReturned'>) =>
  minor(payoutReturned) > 0n;

/** Whether the family was paid what the bank had given back. */
export const hasRestPaid = ({ restPaid }: Pick<TransferView, 'restPaid'>) => minor(restPaid) > 0n;

/** What of a completed transfer the bank gave back and is neither with the family nor settled with the sender, in centavos. */
export function owedRest(transfer: RestFigures): bigint {
  const { payoutReturned, paidAgain, restPaid, restRefunded } = transfer;
  if (transfer.state !== 'completed') return 0n;
  const owed = minor(payoutReturned) - minor(paidAgain) - minor(restPaid) - minor(restRefunded);
  return owed > 0n ? owed : 0n;
}

type RestFigures = Pick<TransferView, 'state' | 'payoutReturned' | 'paidAgain' | 'restPaid' | 'restRefunded'>;

/** Whether the family was paid a second time, for what the sender reported. */
export const wasPaidAgain = ({ paidAgain }: Pick<TransferView, 'paidAgain'>) => minor(paidAgain) > 0n;

/** What the sender paid and has not got back, "75,00 EUR". */
export function notReturned({
  amount,
  returned,
  currency,
}: Pick<TransferView, 'amount' | 'returned' | 'currency'>): string {
  return formatAmount(formatMinor(minor(amount) - minor(returned)), currency);
}

/** By how much one amount is more than another, decimal texts. */
export const moreThan = (less: string, more: string): string => formatMinor(minor(more) - minor(less));

/** What has gone back to the sender and what becomes of the rest; null where nothing went back, or all of it. */
export function returnedMessage(transfer: TransferView): string | null {
  if (!hasReturned(transfer)) return null;
  const rest = restMessage(transfer);
  if (rest === null) return null;
  return `${wentBackText(transfer)} ${rest}`;
}

/** What went back to the sender, and how. */
function wentBackText({ returned, refund, currency }: Pick<TransferView, 'returned' | 'refund' | 'currency'>): string {
  const back = formatAmount(returned, currency);
  const { byBank = '0.00', reference = null } = refund ?? {};
  if (minor(byBank) === 0n) return t`Te devolvimos ${back} a tu tarjeta.`;
  const bank = formatAmount(byBank, currency);
  const card = formatAmount(returnedToCard({ returned, byBank }), currency);
  const paid =
    byBank === returned
      ? t`Te devolvimos ${back} por transferencia bancaria y no a tu tarjeta.`
      : t`Te devolvimos ${back}: ${bank} por transferencia bancaria y ${card} a tu tarjeta.`;
  return reference ? `${paid} ${t`El número de la transferencia es ${reference}.`}` : paid;
}

/** What happens to the money that was not refunded. */
function restMessage(transfer: TransferView): string | null {
  const family = formatBolivianos(arriving(transfer));
  const rest = notReturned(transfer);
  switch (transfer.state) {
    case 'captured':
      return t`Tu envío sigue: a tu familia le llegan ${family}.`;
    case 'payout_failed':
      return t`Si pides tu dinero de vuelta, te devolvemos los ${rest} que faltan.`;
    case 'completed':
      return t`A tu familia le llegaron ${family}.`;
    case 'refunding':
      return t`Faltan ${rest}.`;
    default:
      return null;
  }
}

/** How all of it was paid back, where some of that was by bank transfer; null otherwise. */
export function paidBackMessage(transfer: TransferView): string | null {
  const isByBank = transfer.state === 'refunded' && minor(transfer.refund?.byBank ?? '0.00') > 0n;
  return isByBank ? wentBackText(transfer) : null;
}

/** What the bank gave back of its payment, what the family has of it, and where the rest is; null where it gave nothing back. */
export function payoutReturnedMessage(transfer: TransferView): string | null {
  if (transfer.state !== 'completed' || !hasPayoutReturned(transfer)) return null;
  const owed = owedRest(transfer);
  // What the sender reported was paid again, which the figures below say.
  if (wasPaidAgain(transfer) && owed === 0n) return null;
  const [back, family] = [formatBolivianos(transfer.payoutReturned), formatBolivianos(arriving(transfer))];
  const all = formatBolivianos(transfer.bolivianos);
  const isWhole = arriving(transfer) === transfer.bolivianos;
  return [
    isWhole
      ? t`El banco devolvió ${back} y después los pagó otra vez: tu familia ya tiene los ${all} completos.`
      : t`El banco devolvió ${back}: tu familia tiene ${family} de los ${all}.`,
    ...(minor(transfer.restRefunded) > 0n ? [refundedRest(transfer)] : []),
    ...(owed > 0n ? [whereRestIs(transfer, owed)] : []),
  ].join(' ');
}

function refundedRest({ restRefunded }: TransferView): string {
  const rest = formatBolivianos(restRefunded);
  return t`Por ${rest} que no llegaron te devolvimos tu parte a tu tarjeta.`;
}

function whereRestIs({ restTo }: TransferView, owed: bigint): string {
  const rest = formatBolivianos(formatMinor(owed));
  if (restTo === 'family') return t`Los ${rest} que faltan van otra vez en camino a tu familia.`;
  if (restTo === 'sender') return t`Por los ${rest} que faltan te estamos devolviendo tu parte a tu tarjeta.`;
  return t`Los ${rest} que faltan están con nosotros: los pagamos otra vez o te devolvemos tu parte, y te escribimos en cuanto esté hecho.`;
}
