import { formats } from '#core/locale/format';
import { referenceOf } from '#core/transfers/reference';
import { returnedToCard } from '#core/transfers/refund';
import type { RefundTexts } from './email-texts.ts';

const { money, bolivianos, day, moment } = formats.en;

/** The e-mails in English about refunds, and about late deposits. */
export const englishRefundTexts: RefundTexts = {
  transfer_refunded: ({ amount, currency, returned, byBank, refundReference, at, transferId }) => {
    const [all, back] = [money(amount, currency), money(returned, currency)];
    const isWhole = returned === amount;
    return {
      subject: `We refunded ${back}`,
      paragraphs: [
        ...(byBank === '0.00'
          ? [
              isWhole
                ? `All ${back} of your transfer went back to your card, including the fee.`
                : `Of the ${all} of your transfer, ${back} went back to your card.`,
            ]
          : [
              isWhole
                ? `We refunded all ${back} of your transfer, including the fee.`
                : `Of the ${all} of your transfer we refunded ${back}.`,
              byBank === returned
                ? 'We paid it by bank transfer and not to your card.'
                : `We paid ${money(byBank, currency)} of it by bank transfer, and ${money(returnedToCard({ returned, byBank }), currency)} went to your card.`,
              'Your bank can find a bank transfer by its number. It may take one or two business days to show it.',
            ]),
        ...(byBank === returned ? [] : ['The bank of your card may take between 5 and 10 business days to show it.']),
      ],
      details: [
        ['Amount refunded', back],
        ...(refundReference === null ? [] : [['Number of the bank transfer', refundReference] as const]),
        ['Date and time of the refund', moment(at)],
        ['Number of your transfer', referenceOf(transferId)],
      ],
      action: 'See my transfer',
    };
  },
  refund_failed: ({ amount, currency, owed, transferId }) => ({
    subject: `The refund of ${money(owed, currency)} did not stay on your card`,
    paragraphs: [
      `We owe you ${money(owed, currency)} of your transfer of ${money(amount, currency)}: the bank of your card did not accept the refund, or sent it back to us.`,
      'If we wrote to you that this money was on your card already, this email corrects it. We have the money.',
      'A person at Chasqui will write to you to pay it back another way. You do not have to do anything. We never ask for your password or the number of your card by email.',
    ],
    details: [['Number of your transfer', referenceOf(transferId)]],
    action: 'See my transfer',
  }),
  payout_delayed: ({ amount, currency, bolivianos: promised, arrival, transferId }) => ({
    subject: `The deposit of ${bolivianos(promised)} to your family is delayed`,
    paragraphs: [
      `We expected it by ${day(arrival)}, and our bank has not confirmed the deposit of your transfer of ${money(amount, currency)} yet. The delay is ours: it has nothing to do with the details you gave us.`,
      'Your money is safe. The rate and the amount do not change. If the bank cannot pay, we refund everything, including the fee.',
      'We email you as soon as the bank confirms the deposit. Do not make another transfer to replace this one.',
    ],
    details: [
      ['Arrives', bolivianos(promised)],
      ['Number of your transfer', referenceOf(transferId)],
    ],
    action: 'See my transfer',
  }),
};
