import { formats } from '#core/locale/format';
import { roundedUp } from '#core/transfers/arrival-times';
import type { EmailData } from './email-kinds.ts';
import type { RepeatTexts } from './email-texts.ts';

const { money, bolivianos, rateLine, day, moment } = formats.en;
type Reminder = EmailData<'repeat_reminder'>;

/** The reminder of a repeating transfer in English. */
export const englishRepeatTexts: RepeatTexts = {
  repeat_reminder: (data) => {
    const { problem, lapsesAt, figures } = data;
    const until = `If you do not send this time, do nothing: this reminder is valid until ${moment(lapsesAt)}, and then the next one comes.`;
    if (problem !== null) {
      const { subject, paragraphs, action } = problemText(data);
      return {
        subject,
        paragraphs: problem === 'recipient_gone' ? paragraphs : [...paragraphs, until],
        details: figures ? details(data, figures) : [],
        action,
      };
    }
    if (!figures) throw new RangeError('a reminder without a problem has its figures');
    const often = data.every === 'month' ? 'every month' : 'every two weeks';
    const [paid, arrives] = [money(figures.amount, data.currency), bolivianos(figures.bolivianos)];
    return {
      subject: `Time for your transfer: today ${arrives} arrives for ${paid}`,
      paragraphs: [
        `You asked to be reminded ${often}. At today's rate you pay ${paid}, fee included, and your family gets ${arrives}.`,
        'Nothing is charged without you: the link opens the review with the figures of that moment, and you pay only if you agree.',
        ...measured(data),
        until,
      ],
      details: details(data, figures),
      action: 'Review and pay',
    };
  },
};

function problemText({ problem, currency, figures, availableAt }: Reminder) {
  const paid = figures && money(figures.amount, currency);
  switch (problem) {
    case 'recipient_gone':
      return {
        subject: 'Your repeating transfer is paused: it has no recipient',
        paragraphs: [
          'The person who received it is no longer in your list of recipients. We paused the transfer, because it has no recipient.',
          'Choose another recipient to resume it, or end it. Nothing was charged.',
        ],
        action: 'Choose who receives it',
      };
    case 'amount_too_small':
    case 'amount_too_large':
      return {
        subject: 'Time for your transfer, but today the amount cannot be sent',
        paragraphs: [
          `At today's rate it costs ${paid}, ${problem === 'amount_too_small' ? 'less than the minimum' : 'more than the maximum'} of a transfer. Change the amount to go on with it. Nothing was charged.`,
        ],
        action: 'See my transfer',
      };
    case 'day_limit_reached':
    case 'month_limit_reached':
      return {
        subject: 'Time for your transfer, but now it exceeds your limit',
        paragraphs: [
          `With this transfer of ${paid} you exceed your limit of ${problem === 'day_limit_reached' ? '24 hours' : '30 days'}. Nothing was charged.`,
          availableAt === null
            ? 'Change the amount: as it is, it does not fit your limit.'
            : `You can make it from ${moment(availableAt)} on, if you send nothing else before.`,
        ],
        action: 'See my transfer',
      };
    default:
      return {
        subject: 'Time for your transfer, but now there is no recent rate',
        paragraphs: [
          `Transfers in ${currency} are paused because we have no recent market rate. Nothing was charged.`,
          'Open the link later: as soon as there is a rate you see the figures and can pay.',
        ],
        action: 'See my transfer',
      };
  }
}

function measured({ measured: known, bank }: Reminder): string[] {
  if (known === null || bank === null) return [];
  const length = (minutes: number) => {
    const { value, unit } = roundedUp(minutes);
    return new Intl.NumberFormat('en-US', { style: 'unit', unit, unitDisplay: 'long' }).format(value);
  };
  const [half, most] = [length(known.medianMinutes), length(known.ninetiethMinutes)];
  return [
    `Measured in the last ${known.count} transfers to ${bank}: half arrived within ${half}, 9 of 10 within ${most}.`,
  ];
}

function details({ currency, bank, account }: Reminder, figures: NonNullable<Reminder['figures']>) {
  return [
    ['Arrives in Bolivia', bolivianos(figures.bolivianos)],
    ['You pay with your card', money(figures.amount, currency)],
    ['Fee included', money(figures.fee, currency)],
    ["Today's rate", rateLine(figures.rate, currency)],
    ...(bank === null ? [] : [['Bank or wallet', bank] as const]),
    ...(account ? [['Account', `ends in ${account}`] as const] : []),
    ['If you pay today, arrives on', day(figures.arrival)],
  ] as const;
}
