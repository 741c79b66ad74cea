import type { Locale } from '../locale/locale.ts';
import { formatMinor, parseMinor } from '../money/money.ts';
import { isSome, markupText, type ReceiptFacts, type ReceiptTexts, receiptTexts } from './receipt-texts.ts';

/** One line of a document: what it is, and its value. */
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

/** Every figure and date of a receipt, in the order of 12 CFR 1005.31(b)(2). */
export function receiptSections(receipt: ReceiptFacts, language: Locale): PaperSection[] {
  const texts = receiptTexts[language];
  const { currency, card } = receipt;
  const bolivianos = texts.money(receipt.bolivianos, 'BOB');
  return [
    {
      title: texts.youPay,
      lines: [
        [texts.amount, texts.money(receipt.netAmount, currency)],
        [texts.fee, texts.money(receipt.fee, currency)],
        [texts.taxes, texts.money(receipt.taxes, currency)],
      ],
      total: [texts.total, texts.money(receipt.total, currency)],
    },
    {
      title: texts.exchange,
      lines: [
        [texts.rate, texts.rateLine(receipt.rate, currency)],
        [texts.markup, markupText(receipt, texts)],
      ],
    },
    {
      title: texts.received,
      lines: [
        [texts.transferred, bolivianos],
        // The recipient's side takes nothing of ours.
        [texts.otherFees, texts.money('0.00', 'BOB')],
      ],
      total: [texts.totalReceived, bolivianos],
    },
    ...wentBack(receipt, texts),
    {
      title: texts.dates,
      lines: [
        [texts.paid, texts.moment(receipt.paidAt)],
        ...(card ? [[texts.card, `${brandOf(card.brand)} •••• ${card.last4}`] as const] : []),
        [
          texts.available,
          receipt.completedAt ? texts.moment(receipt.completedAt) : texts.about(texts.day(receipt.estimatedDelivery)),
        ],
        [texts.reference, receipt.payoutReference ?? texts.referenceLater],
        ...(receipt.id ? [[texts.id, receipt.id] as const] : []),
      ],
    },
  ];
}

/** What went back of a transfer, and what it cost its sender in the end; nothing where nothing did. */
function wentBack({ returned, payoutReturned, total, currency }: ReceiptFacts, texts: ReceiptTexts): PaperSection[] {
  const fromBank = isSome(payoutReturned) ? [[texts.backFromBank, texts.money(payoutReturned, 'BOB')] as const] : [];
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
