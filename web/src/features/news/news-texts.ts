import { t } from '@lingui/core/macro';
import { caseAddress, reminderAddress, transferAddress } from '#core/contracts/page-addresses';
import type { NewsItem } from '../../data/news.ts';
import { formatAmount, formatBolivianos } from '../../lib/format/money.ts';
import { paths } from '../../lib/paths.ts';

/** A piece of news in words, and where it leads. */
export interface NewsText {
  readonly title: string;
  readonly message: string;
  readonly address: string;
}

/** Says no more than is true now: what was followed by something else asks for nothing any more. */
export function newsText(item: NewsItem): NewsText {
  const { kind, transfer } = item;
  if (kind === 'to_decide' || kind === 'answered' || kind === 'case' || kind === 'second_person')
    return waitingText(item);
  if (kind === 'repeat_due') return repeatText(item);
  const amount = transfer ? formatAmount(transfer.amount, transfer.currency) : '';
  const [title, message] = senderText(item, amount);
  return { title, message, address: transfer ? transferAddress(transfer.id) : paths.dashboard };
}

function senderText({ kind, current, transfer }: NewsItem, amount: string): [title: string, message: string] {
  const person = transfer?.person ?? '';
  const bolivianos = formatBolivianos(transfer?.bolivianos ?? '0.00');
  const about = person ? t`Envío de ${amount} para ${person}.` : t`Envío de ${amount}.`;
  const free = t`No se cobró nada: la reserva de ${amount} se libera.`;
  const days = t`Tu banco puede tardar unos días en mostrarlo.`;
  switch (kind) {
    case 'question':
      return [t`Te hicimos una pregunta`, about];
    case 'approved':
      return [t`Aprobamos tu envío`, current ? t`${about} Ahora se cobra tu tarjeta.` : about];
    case 'deposited':
      return [t`El banco confirmó el depósito`, t`${bolivianos} para ${person}.`];
    case 'received':
      return [t`Tu familia ya recibió los ${bolivianos}`, t`Lo confirmaron en la página de seguimiento.`];
    case 'rejected':
      return [t`No aprobamos tu envío`, free];
    case 'cancelled':
      return [t`Tu envío quedó cancelado`, free];
    case 'not_charged':
      return [t`Tu envío terminó sin cobro`, t`${about} No se cobró nada.`];
    case 'account_needed':
    case 'deposit_returned': {
      const happened = kind === 'account_needed' ? t`El banco no pudo pagar` : t`El banco devolvió el depósito`;
      return current
        ? [t`${happened}: decide tú`, t`${about} Corrige la cuenta o pide tu dinero de vuelta.`]
        : [happened, about];
    }
    case 'deposit_partly_returned': {
      const back = formatBolivianos(transfer?.payoutReturned ?? '0.00');
      return [
        t`El banco devolvió una parte`,
        t`${about} Volvieron ${back}. Los pagamos otra vez o te devolvemos tu parte, y te escribimos.`,
      ];
    }
    case 'returning':
      return [t`Tu envío no se pagó`, current ? t`${about} Tu dinero vuelve a ti. ${days}` : about];
    case 'partly_refunded': {
      const back = formatAmount(transfer?.returned ?? '0.00', transfer?.currency ?? 'USD');
      return [t`Te devolvimos una parte`, t`${about} Volvieron ${back} en total. ${days}`];
    }
    case 'refunded':
      return [t`Te devolvimos todo`, t`${amount}, comisión incluida. ${days}`];
    default:
      return [
        t`La devolución no llegó a tu tarjeta`,
        current ? t`${about} Te escribiremos para pagarte de otra forma.` : about,
      ];
  }
}

function repeatText({ id, current, repeat }: NewsItem): NewsText {
  const { person = '', fixed, amount = '0.00', currency = 'USD', problem } = repeat ?? {};
  const figure = fixed === 'receive' ? formatBolivianos(amount) : formatAmount(amount, currency);
  const about = t`${figure} para ${person}.`;
  const asks = problem ? t`Mira por qué hoy no se puede.` : t`Revísalo con la tasa de hoy y paga.`;
  return {
    title: t`Toca tu envío que se repite`,
    message: current ? `${about} ${asks}` : about,
    address: reminderAddress(id),
  };
}

function waitingText({ id, kind, subject, transfer }: NewsItem): NewsText {
  const amount = transfer ? formatAmount(transfer.amount, transfer.currency) : '';
  const [person, reference] = [transfer?.person ?? '', transfer?.reference ?? ''];
  const message = transfer ? t`${amount} de ${person}, ${reference}.` : '';
  const transferPage = `${paths.admin}?transfer=${transfer?.id ?? ''}`;
  if (kind === 'to_decide') return { title: t`Un envío espera tu decisión`, message, address: transferPage };
  if (kind === 'answered') return { title: t`Quien envía respondió una pregunta`, message, address: transferPage };
  if (kind === 'case') return { title: t`Un caso nuevo en Operaciones`, message, address: caseAddress(id) };
  switch (subject) {
    case 'approval':
      return { title: t`Un envío espera la segunda aprobación`, message, address: transferPage };
    case 'rate':
      return {
        title: t`Un cambio de tasa espera a una segunda persona`,
        message: t`Míralo en Tasas.`,
        address: `${paths.admin}?tab=rates`,
      };
    case 'books':
      return {
        title: t`La conciliación espera a una segunda persona`,
        message: t`Míralo en Conciliación.`,
        address: `${paths.admin}?tab=reconciliation`,
      };
    default:
      return {
        title: t`Una acción de Operaciones espera a una segunda persona`,
        message,
        address: `${paths.admin}?tab=operations`,
      };
  }
}
