import type { ClockName } from '#core/complaints/clocks';
import type { ComplaintReason, ComplaintWant, Regime } from '#core/complaints/complaint';
import { formats } from '#core/locale/format';
import { referenceOf } from '#core/transfers/reference';
import { returnedToCard } from '#core/transfers/refund';
import type { EmailData } from './email-kinds.ts';
import type { ComplaintTexts } from './email-texts.ts';

const { money, day, moment } = formats.en;

/** Report reasons, as titles. */
const reasons: Readonly<Record<ComplaintReason, string>> = {
  wrong_charge: 'I was charged another amount',
  computation: 'there is a computational error',
  wrong_amount: 'another amount arrived',
  late: 'it arrived late',
  not_received: 'the money did not arrive',
  information: 'I ask for documents or an explanation',
  general: 'another complaint',
};

const wanted: Readonly<Record<ComplaintWant, string>> = {
  refund: 'My money back',
  delivery: 'That my family gets what is missing',
  explanation: 'An explanation or documents',
  other: 'What I wrote',
};

const clocks: Readonly<Record<ClockName, string>> = {
  investigate: 'finding out what happened',
  tell: 'writing the result to the sender',
  answer: 'answering the sender',
  correct: 'correcting the error',
};

/** Authorities a sender may also contact (12 CFR 1005.31(b)(2)(vi); PSD2, articles 99 and 102). */
const authorities: Readonly<Record<Regime, string>> = {
  reg_e:
    'If you do not agree, reply to us, or contact the Consumer Financial Protection Bureau (CFPB) of the United States: 855-411-2372, www.consumerfinance.gov.',
  psd2: 'If you do not agree, reply to us, or contact the authority for complaints about payment services in your country; in Spain it is the Bank of Spain (bde.es).',
  own: 'If you do not agree, reply to us, or contact the Consumer Financial Protection Bureau (CFPB) of the United States: 855-411-2372, www.consumerfinance.gov.',
};

const documents =
  'You have the right to the documents that we relied on: ask for them with another report from the detail of the transfer, and you get them free of charge.';

/** Which report and which transfer. */
function details(
  of: Pick<EmailData<'complaint_received'>, 'transferId' | 'amount' | 'currency' | 'reason' | 'reportedAt'>,
): [string, string][] {
  return [
    ['Reason', capital(reasons[of.reason])],
    ['Number of your transfer', referenceOf(of.transferId)],
    ['Total you paid', money(of.amount, of.currency)],
    ['Reported', moment(of.reportedAt)],
  ];
}

const capital = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

type Again = Pick<EmailData<'complaint_reopened'>, 'payout' | 'bank' | 'account'>;

/** The second payout and its account. */
const payoutText = ({ payout, bank, account }: Again) =>
  `${money(payout ?? '0.00', 'BOB')} at ${bank}, to the account ending in ${account}`;

/** The correction of an error. */
function correction({
  remedy,
  refund,
  currency,
  correctBy,
  ...again
}: Pick<EmailData<'complaint_result'>, 'remedy' | 'refund' | 'currency' | 'correctBy' | keyof Again>): string {
  const until = correctBy === null ? '' : ` We do so by ${day(correctBy)} at the latest.`;
  const back = refund === null ? '' : money(refund, currency);
  switch (remedy) {
    case 'refund':
      return `We return ${back} to your card.${until} Your bank may take some days more to show it.`;
    case 'fee_refund':
      return `We return the fee, ${back}, to your card.${until} Your bank may take some days more to show it.`;
    case 'pay_again':
      return `${again.payout === null ? 'We get the money to your family' : `The bank pays your family again: ${payoutText(again)}`}, at no cost to you.${until}${refund === null ? '' : ` We also return the fee, ${back}, to your card.`}`;
    default:
      return 'Nothing is left to move: the money is where it should be.';
  }
}

type Corrected = EmailData<'complaint_corrected'>;

/** What was paid out for a report. */
function paidText({ missing, ...data }: Corrected): string {
  if (data.payout !== null)
    return `The bank paid your family again: ${payoutText(data)}, with the reference ${data.reference}.`;
  if (missing === null) return 'Your family has the money.';
  return `The bank paid your family, and then returned ${money(missing, 'BOB')} of it. We write to you about that part.`;
}

/** What was refunded for a report, and where to. */
function returnedText({ refund, byBank, currency }: Corrected): string {
  const back = refund ?? '0.00';
  if (byBank === '0.00') return `${money(back, currency)} to your card`;
  if (byBank === back) return `${money(back, currency)} by bank transfer and not to your card`;
  const card = money(returnedToCard({ returned: back, byBank }), currency);
  return `${money(byBank, currency)} by bank transfer and ${card} to your card`;
}

/** The result that an admin asks a second person to approve. */
const plannedText = ({ refund, currency, ...again }: Again & { refund: string | null; currency: 'EUR' | 'USD' }) =>
  [
    ...(again.payout === null ? [] : [`pay the family again: ${payoutText(again)}`]),
    ...(refund === null ? [] : [`return ${money(refund, currency)}`]),
  ].join(' and ');

/** E-mails about reported problems in English. */
export const englishComplaintTexts: ComplaintTexts = {
  complaint_received: (data) => ({
    subject: `We received your report: ${reasons[data.reason]}`,
    paragraphs: [
      data.regime === 'reg_e'
        ? `A person at Chasqui investigates it, within 90 days: by ${day(data.answerBy)}. We tell you the result within 3 business days after that.`
        : `A person at Chasqui looks at it. We answer by ${day(data.answerBy)} at the latest.`,
      ...(data.inTime
        ? []
        : [
            'More than 180 days have passed since the date on which the money was to be available. So the times that the law sets for errors do not apply any more, and we handle it as a complaint.',
          ]),
    ],
    details: [...details(data), ['What you ask for', wanted[data.wants]], ['What you wrote', data.description]],
    action: 'See my report',
  }),
  complaint_delayed: (data) => ({
    subject: `Your report takes longer: we answer by ${day(data.answerBy)}`,
    paragraphs: ['We could not answer you yet. This is why:', data.delay],
    details: details(data),
    action: 'See my report',
  }),
  complaint_result: (data) => ({
    subject: {
      error: 'Result of your report: there was an error and we correct it',
      no_error: 'Result of your report: we found no error',
      answered: 'The answer to your report',
    }[data.finding],
    paragraphs: [
      data.explanation,
      ...(data.finding === 'error' ? [correction(data)] : []),
      ...(data.finding === 'answered' ? [] : [documents]),
      authorities[data.regime],
    ],
    details: details(data),
    action: 'See my report',
  }),
  complaint_corrected: (data) => ({
    subject: 'We corrected the error that you reported',
    paragraphs: [
      data.remedy === 'pay_again'
        ? `${paidText(data)}${data.refund === null ? '' : ` We also returned the fee: ${returnedText(data)}.`}`
        : `We returned ${returnedText(data)}. Your bank may take some days to show it.`,
      ...(data.announced === null
        ? []
        : [
            `We had announced ${money(data.announced, data.currency)}. The difference was not left to return: it had gone back to you already.`,
          ]),
      'With this your report is closed. If something is still wrong, tell us with another one from the detail of the transfer.',
    ],
    details: details(data),
    action: 'See my transfer',
  }),
  complaint_reopened: (data) => ({
    subject:
      data.refund === null
        ? 'The bank could not pay: we look at your report again'
        : 'The refund cannot be made: we look at your report again',
    paragraphs: [
      ...(data.refund === null
        ? [
            `The bank could not make the payment that we announced: ${payoutText(data)}. The money is with us, and the error is still to be corrected.`,
            'Check the details of your recipient in Chasqui. If the account is another one, change it there: it is the one we use.',
          ]
        : [
            `We announced a refund of ${money(data.refund, data.currency)} to your card. It cannot be made any more, because money of this transfer has gone back in another way: through a dispute with your card’s bank or another refund.`,
          ]),
      `We tell you how we correct it by ${day(data.answerBy)} at the latest.`,
    ],
    details: details(data),
    action: 'See my report',
  }),
  complaint_withdrawn: (data) => ({
    subject: `You withdrew your report: ${reasons[data.reason]}`,
    paragraphs: [
      'We closed it as you asked, and we no longer investigate it.',
      'If it was not you who withdrew it, or if something is still wrong, tell us with another report from the detail of the transfer.',
    ],
    details: details(data),
    action: 'See my transfer',
  }),
  complaint_opened: (data) => ({
    subject: `A sender reports a problem: ${reasons[data.reason]}`,
    paragraphs: [
      `Transfer ${referenceOf(data.transferId)} of ${money(data.amount, data.currency)}. Deadline: ${day(data.dueAt)}.`,
    ],
    action: 'See the complaint',
  }),
  complaint_due: (data) => ({
    subject:
      data.stage === 'near'
        ? `A complaint is due soon: ${clocks[data.clock]}`
        : `A complaint is overdue: ${clocks[data.clock]}`,
    paragraphs: [
      `${capital(reasons[data.reason])}: transfer ${referenceOf(data.transferId)} of ${money(data.amount, data.currency)}.`,
      `The time for ${clocks[data.clock]} ${data.stage === 'near' ? 'ends' : 'ended'} on ${moment(data.dueAt)}.`,
    ],
    action: 'See the complaint',
  }),
  complaint_waiting: (data) => ({
    subject: 'The result of a complaint awaits your approval',
    paragraphs: [
      `${data.foundBy} found an error and wants to ${plannedText(data)}, of the transfer ${referenceOf(data.transferId)}.`,
      'Look at it, and approve it or send it back with a note. The sender knows nothing yet.',
    ],
    action: 'See the complaint',
  }),
};
