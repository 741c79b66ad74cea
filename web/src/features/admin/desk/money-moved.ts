import type { DeskAction, DeskCaseView } from '#core/contracts/http/operations';
import { formatAmount, formatBolivianos } from '#core/money/format';
import { cardText } from '../transfers/transfer-labels.ts';

/** An amount, and what becomes of it. */
export interface MovedMoney {
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
      return { amount: formatBolivianos(transaction.amount_bs), label: 'Ya se pagó', to: familyOf(one) };
    case 'refund_by_hand':
      return { amount: owedOf(one), label: 'Ya se devolvió', to: `${transaction.user} (${transaction.user_email})` };
    case 'give_up_and_refund':
    case 'refund_at_loss':
      return { amount: owedOf(one), label: 'Se devuelve', to: cardOf(one) };
    case 'retry':
      if (operation?.kind === 'payout')
        return { amount: formatAmount(operation.amount, operation.currency), label: 'Se paga', to: familyOf(one) };
      return operation?.kind === 'refund' ? { amount: owedOf(one), label: 'Se devuelve', to: cardOf(one) } : null;
    case 'resolve':
      return null;
  }
}

/** What the sender is still owed of the charge. */
export function owedOf({ owed, transaction }: DeskCaseView): string {
  return formatAmount(owed, transaction.currency);
}

function familyOf({ transaction: { recipient, recipient_details } }: DeskCaseView): string {
  const { bank_name: bank, bank_account: account } = recipient_details;
  return [recipient, bank, account && `cuenta ${account}`].filter(Boolean).join(', ');
}

function cardOf({ transaction }: DeskCaseView): string {
  return `${transaction.user}, ${cardText(transaction)}`;
}
