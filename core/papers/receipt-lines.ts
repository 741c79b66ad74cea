import type { Locale } from '../locale/locale.ts';
import { formatMinor, parseMinor } from '../money/money.ts';
import { endedUnpaidStates } from '../transfers/states.ts';
import { isSome, markupText, type ReceiptFacts, type ReceiptTexts, receiptTexts } from './receipt-texts.ts';

/** One line of a document: label and value. */
export type PaperLine = readonly [label: string, value: string];

/** Lines under a title, the last one a sum of them where there is one. */
export interface PaperSection {
  readonly title: string;
  readonly lines: readonly PaperLine[];
  readonly total?: PaperLine;
}

const brandOf = (brand: string) => brand.charAt(0).toUpperCase() + brand.slice(1);

/** Who takes part in a transfer: a title and lines each, the name first. */
export function receiptParties(receipt: ReceiptFacts, language: Locale): { title: string; lines: string[] }[] {
  const { sender, recipient } = receipt;
  const texts = receiptTexts[language];
  return [
    { title: texts.sender, lines: [sender.name, sender.email] },
    {
      title: texts.recipient,
      lines: recipient
        ? [recipient.name, `${texts.idCard} ${recipient.ci}`, `${recipient.phone} · ${recipient.city}`]
        : [texts.noRecipient],
    },
    ...(recipient
      ? [{ title: texts.deposit, lines: [recipient.bankName, texts.account(recipient.accountEnding)] }]
      : []),
  ];
}

/**
 * Every figure and date of a receipt, in the order of 12 CFR 1005.31(b)(2). A transfer that was not charged, or whose money goes back
 * whole, promises neither a day nor a bank's reference.
 */
export function receiptSections(receipt: ReceiptFacts, language: Locale): PaperSection[] {
  const texts = receiptTexts[language];
  const { currency, card, state } = receipt;
  const charged = !endedUnpaidStates.includes(state);
  const deposits = charged && state !== 'refunding' && state !== 'refunded';
  const bolivianos = texts.money(receipt.bolivianos, 'BOB');
  return [
    {
      title: charged ? texts.youPay : texts.youWouldPay,
      lines: [
        [texts.amount, texts.money(receipt.netAmount, currency)],
        [texts.fee, texts.money(receipt.fee, currency)],
        [texts.taxes, texts.money(receipt.taxes, currency)],
      ],
      total: [charged ? texts.total : texts.totalNotCharged, texts.money(receipt.total, currency)],
    },
    {
      title: texts.exchange,
      lines: [
        [texts.rate, texts.rateLine(receipt.rate, currency)],
        ...(receipt.accepted ? [[texts.acceptedRate, texts.rateLine(receipt.accepted.rate, currency)] as const] : []),
        [texts.markup, markupText(receipt, texts)],
      ],
    },
    {
      title: deposits ? texts.received : texts.wouldReceive,
      lines: [
        [texts.transferred, bolivianos],
        // The recipient's side takes nothing of ours.
        [texts.otherFees, texts.money('0.00', 'BOB')],
      ],
      total: [texts.totalReceived, bolivianos],
    },
    ...wentBack(receipt, texts),
    ...(receipt.paidAgain
      ? [{ title: texts.secondPayout, lines: [[texts.paidAgainLine, texts.money(receipt.paidAgain, 'BOB')] as const] }]
      : []),
    {
      title: texts.dates,
      lines: [
        [charged ? texts.paid : texts.held, texts.moment(receipt.paidAt)],
        ...(card ? [[texts.card, `${brandOf(card.brand)} •••• ${card.last4}`] as const] : []),
        ...(deposits ? [[texts.available, whenAvailable(receipt, texts)] as const] : []),
        ...(deposits ? [[texts.reference, receipt.payoutReference ?? texts.referenceLater] as const] : []),
        ...(receipt.id ? [[texts.id, receipt.id] as const] : []),
      ],
    },
  ];
}

const whenAvailable = ({ completedAt, estimatedDelivery }: ReceiptFacts, texts: ReceiptTexts) =>
  completedAt ? texts.moment(completedAt) : texts.about(texts.day(estimatedDelivery));

/** Refunds of a transfer and its final cost to the sender; empty without refunds. */
function wentBack(receipt: ReceiptFacts, texts: ReceiptTexts): PaperSection[] {
  const { returned, payoutReturned, restPaid, total, currency } = receipt;
  const fromBank = [
    ...(isSome(payoutReturned) ? [[texts.backFromBank, texts.money(payoutReturned, 'BOB')] as const] : []),
    ...(restPaid ? [[texts.restPaidLine, texts.money(restPaid, 'BOB')] as const] : []),
  ];
  if (!isSome(returned)) return fromBank.length > 0 ? [{ title: texts.wentBack, lines: fromBank }] : [];
  const kept = formatMinor((parseMinor(total) ?? 0n) - (parseMinor(returned) ?? 0n));
  return [
    {
      title: texts.wentBack,
      lines: [...fromBank, [texts.backToYou, texts.money(returned, currency)]],
      total: [texts.finalCost, texts.money(kept, currency)],
    },
  ];
}
