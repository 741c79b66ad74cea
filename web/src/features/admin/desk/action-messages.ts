import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import type { DeskAction, DeskCaseView } from '#core/contracts/http/operations';
import type { CaseReason } from '#core/operations/desk-case';
import { formatAmount, formatBolivianos } from '../../../lib/format/money.ts';
import { cardText } from '../transfers/transfer-labels.ts';
import { attemptedAct, owedOf } from './case-messages.ts';

/** What is usually done about a case; where it depends, no action stands out. */
export const usualActions: Readonly<Partial<Record<CaseReason, DeskAction>>> = {
  operation_slow: 'retry',
  operation_abandoned: 'retry',
  payout_returned_in_part: 'resolve',
  refund_failed: 'refund_by_hand',
  refund_outside: 'resolve',
  fraud_warning: 'give_up_and_refund',
  dispute_lost: 'resolve',
  contradiction: 'resolve',
};

/** What an action is called on its button, in its dialog, and in the sentence of a request ("Marta pidió …"). */
interface ActionMessage {
  readonly button: MessageDescriptor;
  readonly title: MessageDescriptor;
  readonly asked: MessageDescriptor;
  /** What happens when it is done. */
  readonly effect: (one: DeskCaseView) => string;
  readonly done: MessageDescriptor;
  readonly tone: 'green' | 'red';
}

export const actionMessages: Readonly<Record<DeskAction, ActionMessage>> = {
  retry: {
    button: msg`Reintentar`,
    title: msg`¿Intentarlo otra vez?`,
    asked: msg`intentarlo otra vez`,
    effect: (one) => {
      const act = attemptedAct(one);
      return t`Se intenta otra vez ${act}. Si en realidad ya se hizo, no se repite.`;
    },
    done: msg`Se intenta otra vez`,
    tone: 'green',
  },
  give_up_and_refund: {
    button: msg`Devolver el dinero`,
    title: msg`¿Devolver el dinero?`,
    asked: msg`devolver el dinero`,
    effect: (one) => {
      const owed = owedOf(one);
      return t`Ya no se paga a la familia. ${owed} vuelven a la tarjeta de quien envía. No se puede deshacer.`;
    },
    done: msg`El dinero vuelve a la tarjeta`,
    tone: 'red',
  },
  refund_at_loss: {
    button: msg`Devolver a nuestra costa`,
    title: msg`¿Devolver el dinero a nuestra costa?`,
    asked: msg`devolver el dinero a nuestra costa`,
    effect: (one) => {
      const owed = owedOf(one);
      return t`La familia ya cobró y se queda con su dinero. ${owed} vuelven a la tarjeta y son pérdida nuestra. No se puede deshacer.`;
    },
    done: msg`El dinero vuelve a la tarjeta`,
    tone: 'red',
  },
  pay_by_hand: {
    button: msg`Pagado a mano`,
    title: msg`Registrar un pago a mano`,
    asked: msg`registrar que se pagó a mano`,
    effect: () =>
      t`Chasqui no paga nada: queda escrito que la familia ya cobró por otro medio, y el envío se completa.`,
    done: msg`Pago a mano registrado`,
    tone: 'green',
  },
  refund_by_hand: {
    button: msg`Devuelto a mano`,
    title: msg`Registrar una devolución a mano`,
    asked: msg`registrar que se devolvió a mano`,
    effect: () => t`Chasqui no devuelve nada: queda escrito que quien envía ya recibió su dinero por otro medio.`,
    done: msg`Devolución a mano registrada`,
    tone: 'green',
  },
  resolve: {
    button: msg`Cerrar el caso`,
    title: msg`¿Cerrar el caso?`,
    asked: msg`cerrar el caso`,
    effect: () => t`No se mueve dinero. El caso sale de la lista con el motivo que escribas.`,
    done: msg`Caso cerrado`,
    tone: 'green',
  },
};

/** An amount, and what becomes of it. */
interface MovedMoney {
  /** "Bs 1.291,17". */
  readonly amount: string;
  /** What the amount is: "Se paga", "Ya se devolvió". */
  readonly label: string;
  /** To whom, and where. */
  readonly to: string;
}

/** What an action pays, or says was paid, by the case as it is now; null when nothing moves. */
export function moneyOfAction(one: DeskCaseView, action: DeskAction): MovedMoney | null {
  const { transaction, operation } = one;
  switch (action) {
    case 'pay_by_hand':
      return { amount: formatBolivianos(transaction.amount_bs), label: t`Ya se pagó`, to: familyOf(one) };
    case 'refund_by_hand':
      return { amount: owedOf(one), label: t`Ya se devolvió`, to: `${transaction.user} (${transaction.user_email})` };
    case 'give_up_and_refund':
    case 'refund_at_loss':
      return { amount: owedOf(one), label: t`Se devuelve`, to: cardOf(one) };
    case 'retry':
      if (operation?.kind === 'payout')
        return { amount: formatAmount(operation.amount, operation.currency), label: t`Se paga`, to: familyOf(one) };
      return operation?.kind === 'refund' ? { amount: owedOf(one), label: t`Se devuelve`, to: cardOf(one) } : null;
    case 'resolve':
      return null;
  }
}

function familyOf({ transaction: { recipient, recipient_details } }: DeskCaseView): string {
  const { bank_name: bank, bank_account: account } = recipient_details;
  return [recipient, bank, account && t`cuenta ${account}`].filter(Boolean).join(', ');
}

function cardOf({ transaction }: DeskCaseView): string {
  return `${transaction.user}, ${cardText(transaction)}`;
}
