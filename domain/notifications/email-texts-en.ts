import { formats } from '#core/locale/format';
import type { CaseReason } from '#core/operations/desk-case';
import type { GuardRail } from '#core/rates/guard-rails';
import { type RejectionCode, readRejection } from '#core/review/rejection';
import { declinedMax, type OwnReason, ownReasonOf } from '#core/transfers/own-reasons';
import { referenceOf } from '#core/transfers/reference';
import type { EmailData } from './email-kinds.ts';
import type { EmailTexts } from './email-texts.ts';

const { money, bolivianos, rate, rateLine, day, moment } = formats.en;

/** The e-mails in English. */
export const englishTexts: EmailTexts = {
  greeting: (name) => (name === null ? 'Hello,' : `Hello ${name},`),
  foot: 'Chasqui · You receive this e-mail because you have an account with us.',
  choose: 'Choose which e-mails I get',
  kinds: {
    password_recovery: () => ({
      subject: 'Change your Chasqui password',
      paragraphs: [
        'You asked for a link to set a new password. It is valid for one hour from when you asked for it and can be used once.',
        'If it was not you, do nothing: your password stays the same. Do not share this link with anybody; Chasqui never asks you for it.',
      ],
      action: 'Set a new password',
    }),
    password_changed: ({ changedAt }) => ({
      subject: 'Your password changed',
      paragraphs: [
        `The password of your account changed on ${moment(changedAt)}. We closed your sessions on all your devices: sign in again with the new one.`,
        'If it was not you, ask for another link to change it right now, and check who else can read your e-mail.',
      ],
      action: 'It was not me: change it again',
    }),
    rate_alert: ({ currency, rate: wanted, firedRate }) => ({
      subject: `The rate reached your value: ${rateLine(firedRate, currency)}`,
      paragraphs: [
        `You asked for an alert when 1 ${currency} reaches ${rate(wanted)}. This is the rate now: ${rateLine(firedRate, currency)}.`,
        'The rate may change at any time. It is fixed when you confirm your transfer.',
      ],
      action: 'Send money',
    }),
    rates_paused: ({ currency, lastUpdatedAt }) => ({
      subject: `Transfers in ${currency} are paused: there is no recent rate`,
      paragraphs: [
        `Nobody can pay in ${currency} for now: the last news of its rate is from ${moment(lastUpdatedAt)}.`,
        'Check the price sources, or set the rate yourself. Transfers resume on their own when a source answers or somebody sets a rate.',
      ],
      action: 'Open the admin panel',
    }),
    rates_resumed: ({ currency, rate: inForce, pausedAt }) => ({
      subject: `Transfers in ${currency} have resumed`,
      paragraphs: [
        `It is possible to pay in ${currency} again, at the rate ${rateLine(inForce, currency)}. The pause began on ${moment(pausedAt)}.`,
      ],
      action: 'Open the admin panel',
    }),
    rate_change_waiting: ({ currency, rate: asked, previousRate, setBy, reason, guardRails }) => ({
      subject: `A rate change awaits your confirmation: ${rateLine(asked, currency)}`,
      paragraphs: [
        `${setBy} asked for the rate ${rateLine(asked, currency)}.${previousRate === null ? '' : ` The previous one: ${rateLine(previousRate, currency)}.`}`,
        ...guardRails.map((rail) => guardRailMessages[rail]),
        ...(reason === null ? [] : [`Reason: ${reason}`]),
        'Check it, and confirm or discard it. It does not take effect unless another person confirms it.',
      ],
      action: 'Check the change',
    }),
    transfer_held: (data) => ({
      subject: `We received your transfer of ${money(data.amount, data.currency)}`,
      paragraphs: [
        `Your card is holding ${money(data.amount, data.currency)}. Nothing is charged yet: first a person at Chasqui reviews your transfer.`,
        `Once it is approved we charge the hold and deposit ${bolivianos(data.bolivianos)}. We expect it to arrive on ${day(data.arrival)}.`,
      ],
      details: payout(data),
      action: 'See my transfer',
    }),
    transfer_without_recipient: (data) => ({
      subject: `Choose who receives the ${bolivianos(data.bolivianos)} of your transfer`,
      paragraphs: [
        `Your card is holding ${money(data.amount, data.currency)}, but the transfer has no recipient.`,
        'We cannot approve it without one. If nobody is chosen in time, the hold is released and nothing is charged.',
      ],
      details: [['Number of your transfer', referenceOf(data.transferId)]],
      action: 'Choose a recipient',
    }),
    transfer_approved: (data) => ({
      subject: `We approved your transfer of ${money(data.amount, data.currency)}`,
      paragraphs: [
        `Now we charge your card and ask the bank to deposit ${bolivianos(data.bolivianos)}. We expect it to arrive on ${day(data.arrival)}.`,
        'We write to you again when the bank confirms the deposit.',
      ],
      details: payout(data),
      action: 'See my transfer',
    }),
    transfer_paid: (data) => ({
      subject: `We deposited ${bolivianos(data.bolivianos)} to your family`,
      paragraphs: [
        `The bank confirmed the deposit on ${moment(data.at)}.`,
        'Keep this e-mail as your proof: with the reference the bank finds the deposit.',
      ],
      details: [
        ['Amount deposited', bolivianos(data.bolivianos)],
        ...account(data),
        ...(data.reference === null ? [] : [["Bank's reference", data.reference] as const]),
        ['Date and time of the deposit', moment(data.at)],
        ['Number of your transfer', referenceOf(data.transferId)],
      ],
      action: 'See the receipt',
    }),
    transfer_received: (data) => ({
      subject: `Your family has the ${bolivianos(data.bolivianos)}`,
      paragraphs: [`They said so on the tracking page on ${moment(data.at)}.`],
      details: payout(data),
      action: 'See my transfer',
    }),
    transfer_rejected: (data) => ({
      subject: `We did not approve your transfer of ${money(data.amount, data.currency)}`,
      paragraphs: [...because(data.reason), released],
      details: [['Number of your transfer', referenceOf(data.transferId)]],
      action: 'See my transfer',
    }),
    transfer_cancelled: (data) => ({
      subject: `You cancelled your transfer of ${money(data.amount, data.currency)}`,
      paragraphs: [released, 'If it was not you, change your password and write to us.'],
      details: [['Number of your transfer', referenceOf(data.transferId)]],
      action: 'See my transfer',
    }),
    transfer_ended: (data) => ({
      subject: `Your transfer of ${money(data.amount, data.currency)} ended without a charge`,
      paragraphs: [...because(data.reason), released],
      details: [['Number of your transfer', referenceOf(data.transferId)]],
      action: 'See my transfer',
    }),
    transfer_refunded: (data) => ({
      subject: `We refunded ${money(data.returned, data.currency)}`,
      paragraphs: [
        data.returned === data.amount
          ? `All ${money(data.returned, data.currency)} of your transfer went back to your card, including the fee.`
          : `Of the ${money(data.amount, data.currency)} of your transfer, ${money(data.returned, data.currency)} went back to your card.`,
        'Your bank may take between 5 and 10 business days to show it.',
      ],
      details: [
        ['Amount refunded', money(data.returned, data.currency)],
        ['Date and time of the refund', moment(data.at)],
        ['Number of your transfer', referenceOf(data.transferId)],
      ],
      action: 'See my transfer',
    }),
    payout_failed: ({ amount, currency, bolivianos: paidOut, returned, correctBy }) => ({
      subject: 'The bank could not pay your transfer: check the account',
      paragraphs: [
        returned
          ? `The bank returned the payment of ${bolivianos(paidOut)} of your transfer of ${money(amount, currency)}: your family did not receive it.`
          : `The bank refused the account of your transfer of ${money(amount, currency)}: the ${bolivianos(paidOut)} have not arrived yet.`,
        'Choose another account and we pay it again, at the same rate and without another charge. Or ask for your money back: all of it returns to your card, including the fee.',
        ...deadline(correctBy),
      ],
      action: 'Correct the account',
    }),
    account_reminder: ({ amount, currency, bolivianos: paidOut, correctBy }) => ({
      subject: 'Your transfer is still waiting for another account',
      paragraphs: [
        `The ${bolivianos(paidOut)} of your transfer of ${money(amount, currency)} have not arrived yet, because the bank could not pay the account you gave us.`,
        'Choose another account and we pay it again, at the same rate and without another charge. Or ask for your money back.',
        ...deadline(correctBy),
      ],
      action: 'Correct the account',
    }),
    account_not_corrected: ({ amount, currency }) => ({
      subject: `We are refunding ${money(amount, currency)}`,
      paragraphs: [
        `The bank could not pay your transfer of ${money(amount, currency)} and the account was not corrected in time. All your money returns to your card, including the fee. Your bank may take a few days to show it.`,
        'You can make another transfer when you have the details of the account.',
      ],
      action: 'See my transfer',
    }),
    transfers_waiting: ({ arrived, waiting, oldestSince }) => ({
      subject: arrived === 1 ? 'A new transfer awaits a decision' : `${arrived} new transfers await a decision`,
      paragraphs: [
        `There are ${waiting} to review in all. The oldest has waited since ${moment(oldestSince)}.`,
        'Review them before the holds on the cards end.',
      ],
      action: 'Open the transfers to review',
    }),
    hold_ending: ({ amount, currency, transferId, hours, captureBefore }) => ({
      subject: `Less than ${hours} hours are left to decide on ${money(amount, currency)}`,
      paragraphs: [
        `The transfer ${referenceOf(transferId)} still awaits a decision. The hold on the card ends on ${moment(captureBefore)}.`,
        'If nobody decides before that, the transfer expires and nothing is charged.',
      ],
      action: 'Open the transfers to review',
    }),
    case_opened: ({ reason, ...transfer }) => ({
      subject: `A transfer needs a person: ${caseMessages[reason]}`,
      paragraphs: [`There is a new case: ${caseMessages[reason]}, about the transfer ${transferName(transfer)}.`],
      action: 'Open the case',
    }),
    case_old: ({ reason, ...transfer }) => ({
      subject: `Still open after a day: ${caseMessages[reason]}`,
      paragraphs: [
        `This case has waited for a person for more than 24 hours: ${caseMessages[reason]}, about the transfer ${transferName(transfer)}.`,
      ],
      action: 'Open the case',
    }),
    desk_request_waiting: ({ requestedBy, reason, amount, currency, transferId }) => ({
      subject: 'A case awaits your approval',
      paragraphs: [
        `${requestedBy} asked to move ${money(amount, currency)} of the transfer${transferId ? ` ${referenceOf(transferId)}` : ''}. Reason: ${reason || 'none given'}`,
        'Check it, and approve or reject it. It is not done unless another person approves it.',
      ],
      action: 'Check the request',
    }),
  },
};

type Step = EmailData<'transfer_held'>;

/** Where the money goes, as far as the sender needs to recognize it. */
function account({ bank, account }: Step): (readonly [string, string])[] {
  return [
    ...(bank === null ? [] : [['Bank or wallet', bank] as const]),
    ...(account ? [['Account', `ends in ${account}`] as const] : []),
  ];
}

function payout(data: Step): (readonly [string, string])[] {
  return [
    ['Arrives', bolivianos(data.bolivianos)],
    ...account(data),
    ['Number of your transfer', referenceOf(data.transferId)],
  ];
}

const released = 'Nothing was charged: we released the hold on your card. Your bank may take a few days to show it.';

/** Why it ended: our own reasons without what became of the money, others as a person or a bank wrote them, in Spanish. */
function because(reason: string | null): string[] {
  if (reason === null) return [];
  const own = ownReasonOf(reason);
  if (own) return [ownReasonMessages[own]];
  const rejection = readRejection(reason);
  if (!rejection) return [`Reason: ${reason}`];
  const { code, note } = rejection;
  return [rejectionMessages[code], ...(note === null ? [] : [note])];
}

const rejectionMessages: Readonly<Record<RejectionCode, string>> = {
  recipient_unverified: 'We could not verify the details of the recipient.',
  card_not_own: 'The card does not seem to be yours: pay with a card in your own name.',
  purpose_unclear: 'We could not understand what this transfer is for.',
  duplicate: 'This transfer seems to be a repetition: you already made the same one.',
  outside_policy: 'Our conditions do not allow us to make this transfer.',
  suspected_fraud: 'We cannot make this transfer for security reasons.',
  legal: 'We cannot make this transfer because of legal obligations.',
};

const ownReasonMessages: Readonly<Record<OwnReason, string>> = {
  not_reviewed: 'We did not review it in time.',
  authorization_lost: 'The hold on your card ended before it was charged.',
  day_limit_reached: 'It would have taken you beyond your limit of 24 hours.',
  month_limit_reached: 'It would have taken you beyond your limit of 30 days.',
  declined_too_often: `Your card was declined ${declinedMax} times.`,
  not_corrected: 'The account was not corrected in time.',
};

/** "TR281467… of EUR 100.00", after "the transfer". */
function transferName({
  transferId,
  amount,
  currency,
}: Pick<EmailData<'case_opened'>, 'transferId' | 'amount' | 'currency'>): string {
  const reference = transferId === null ? '' : `${referenceOf(transferId)} `;
  return `${reference}of ${money(amount, currency)}`;
}

/** What happens when a sender does nothing. */
function deadline(correctBy: string | null): string[] {
  return correctBy === null ? [] : [`If you do not correct it by ${moment(correctBy)}, we refund your money.`];
}

const caseMessages: Readonly<Record<CaseReason, string>> = {
  operation_slow: 'an operation takes longer than normal',
  operation_abandoned: 'an operation is no longer attempted',
  operation_refused: 'a provider refused an operation',
  payout_rejected: 'the bank refused the account',
  payout_returned: 'the bank returned a payment',
  payout_returned_in_part: 'the bank returned part of a payment',
  refund_failed: 'the card did not accept the refund',
  refund_outside: 'money was refunded without our asking',
  fraud_warning: "the card's bank warns of possible fraud",
  dispute_inquiry: "the card's bank asks about a payment",
  dispute_opened: 'the cardholder disputes a payment',
  dispute_lost: 'a card dispute was lost',
  books_differ: 'the books do not agree with Stripe or the bank',
  contradiction: 'a provider says something that cannot be',
};

const guardRailMessages: Readonly<Record<GuardRail, string>> = {
  step_too_large: 'The change is larger than what one person may do alone in a day.',
  above_reference: 'It is above what the market pays.',
  stale_sources: 'There is no recent market reference to compare it with.',
};
