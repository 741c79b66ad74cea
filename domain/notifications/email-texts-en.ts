import { formats } from '#core/locale/format';
import type { CaseReason } from '#core/operations/desk-case';
import type { GuardRail } from '#core/rates/guard-rails';
import { referenceOf } from '#core/transfers/reference';
import type { EmailData } from './email.repository.ts';
import type { EmailTexts } from './email-texts.ts';

const { money, bolivianos, rate, rateLine, moment } = formats.en;

/** The e-mails in English. */
export const englishTexts: EmailTexts = {
  greeting: (name) => (name === null ? 'Hello,' : `Hello ${name},`),
  foot: 'Chasqui · You receive this e-mail because you have an account with us.',
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
  contradiction: 'a provider says something that cannot be',
};

const guardRailMessages: Readonly<Record<GuardRail, string>> = {
  step_too_large: 'The change is larger than what one person may do alone in a day.',
  above_reference: 'It is above what the market pays.',
  stale_sources: 'There is no recent market reference to compare it with.',
};
