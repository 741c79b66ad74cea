import { formats } from '#core/locale/format';
import { referenceOf } from '#core/transfers/reference';
import type { RestTexts } from './email-texts.ts';

const { money, bolivianos } = formats.en;

/** The e-mails in English about returned deposits. */
export const englishRestTexts: RestTexts = {
  payout_returned_in_part: ({ returned, transferId, ...received }) => ({
    subject: `The bank returned ${bolivianos(returned)} of your transfer`,
    paragraphs: [
      received.arrived === '0.00'
        ? `The bank returned ${bolivianos(returned)} of the deposit to your family: of the ${bolivianos(received.bolivianos)} they have nothing now.`
        : `The bank returned ${bolivianos(returned)} of the deposit to your family: they now have ${bolivianos(received.arrived)} of the ${bolivianos(received.bolivianos)}.`,
      'We hold that money for you and your family. We pay it out again or refund your share at the rate of your transfer, and write to you as soon as it is done. There is nothing you need to do.',
    ],
    details: [
      ['Returned by the bank', bolivianos(returned)],
      ['Number of your transfer', referenceOf(transferId)],
    ],
    action: 'See my transfer',
  }),
  rest_paid: ({ paid, bank, account, reference, transferId, ...received }) => ({
    subject: `We deposited the missing ${bolivianos(paid)}`,
    paragraphs: [
      received.arrived === received.bolivianos
        ? `The bank paid what it had returned: your family now has all ${bolivianos(received.bolivianos)}.`
        : `The bank paid ${bolivianos(paid)} of what it had returned: your family now has ${bolivianos(received.arrived)} of the ${bolivianos(received.bolivianos)}.`,
    ],
    details: [
      ['Amount deposited', bolivianos(paid)],
      ['Bank or wallet', bank],
      ...(account === '' ? [] : [['Account', `ending in ${account}`] as const]),
      ...(reference === null ? [] : [['Bank reference', reference] as const]),
      ['Number of your transfer', referenceOf(transferId)],
    ],
    action: 'See my transfer',
  }),
  rest_refunded: ({ refund, currency, instead, transferId, ...received }) => ({
    subject: `We refunded ${money(refund, currency)} for what did not arrive`,
    paragraphs: [
      `The bank had returned ${bolivianos(instead)} of the deposit to your family, who have ${bolivianos(received.arrived)} of the ${bolivianos(received.bolivianos)}. At the rate of your transfer that is ${money(refund, currency)}.`,
      `The ${money(refund, currency)} return to your card. Your bank may take between 5 and 10 business days to show it.`,
    ],
    details: [
      ['Amount refunded', money(refund, currency)],
      ['Number of your transfer', referenceOf(transferId)],
    ],
    action: 'See my transfer',
  }),
};
