import type { AdminRole } from '#core/accounts/admin-roles';
import { formats } from '#core/locale/format';
import type { StopCause, StopReach } from '#core/money-stops/money-stop';
import type { CaseReason } from '#core/operations/desk-case';
import type { GuardRail } from '#core/rates/guard-rails';
import type { CauseOfNoTransfer } from '#core/reconciliation/cause';
import { startOfDay } from '#core/reconciliation/days';
import { referenceOf } from '#core/transfers/reference';
import type { EmailData } from './email-kinds.ts';
import type { AdminEmailKind, EmailTexts } from './email-texts.ts';

const { money, rateLine, moment, day: dayText } = formats.en;

const roleNames: Readonly<Record<AdminRole, string>> = {
  ...{ support: 'Support', reviewer: 'Review', treasurer: 'Treasury', owner: 'Owner' },
};

/** The e-mails to admins in English. */
export const englishAdminTexts: Pick<EmailTexts['kinds'], AdminEmailKind> = {
  rates_paused: ({ currency, lastUpdatedAt }) => ({
    subject: `Transfers in ${currency} are paused: there is no recent rate`,
    paragraphs: [
      `Payments in ${currency} are paused: its rate was last updated on ${moment(lastUpdatedAt)}.`,
      'Check the price sources, or set the rate yourself. Transfers resume on their own when a source answers or an admin sets a rate.',
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
  webhook_disabled: ({ host, failingSince }) => ({
    subject: `We no longer send events to ${host}`,
    paragraphs: [
      `The address has taken no event since ${moment(failingSince)}, so we switched it off. What was waiting is not sent by itself any more.`,
      'Once it works again, switch it on under Webhooks and send again what is missing.',
    ],
    action: 'Open Webhooks',
  }),
  rate_change_waiting: ({ currency, rate: requested, previousRate, setBy, reason, guardRails }) => ({
    subject: `A rate change awaits your confirmation: ${rateLine(requested, currency)}`,
    paragraphs: [
      `${setBy} requested the rate ${rateLine(requested, currency)}.${previousRate === null ? '' : ` The previous one: ${rateLine(previousRate, currency)}.`}`,
      ...guardRails.map((rail) => guardRailMessages[rail]),
      ...(reason === null ? [] : [`Reason: ${reason}`]),
      'Check it, and confirm or discard it. It does not take effect unless another person confirms it.',
    ],
    action: 'Check the change',
  }),
  transfers_waiting: ({ arrived, waiting, oldestSince }) => ({
    subject: arrived === 1 ? 'A new transfer awaits a decision' : `${arrived} new transfers await a decision`,
    paragraphs: [
      `There are ${waiting} to review in all. The oldest has waited since ${moment(oldestSince)}.`,
      'Review them before the holds on the cards end.',
    ],
    action: 'Open the transfers to review',
  }),
  question_answered: ({ amount, currency, transferId, decideBy }) => ({
    subject: `The sender of ${money(amount, currency)} answered your question`,
    paragraphs: [
      `The transfer ${referenceOf(transferId)} waits for a decision.${decideBy === null ? '' : ` The hold on the card ends on ${moment(decideBy)}.`}`,
    ],
    action: 'Read the answer',
  }),
  approval_waiting: ({ amount, currency, transferId, approvedBy, decideBy }) => ({
    subject: `A transfer of ${money(amount, currency)} awaits your approval`,
    paragraphs: [
      `${approvedBy} approved the transfer ${referenceOf(transferId)}. Now another person has to approve it, too: otherwise it is not charged.`,
      ...(decideBy === null ? [] : [`The hold on the card ends on ${moment(decideBy)}.`]),
    ],
    action: 'Review the transfer',
  }),
  book_exceptions: ({ found, first }) => ({
    ...(found === 1 && first[0]?.cause === 'return_unknown'
      ? {
          subject: 'The bank returned a payment that belongs to no transfer or could not be read',
          paragraphs: [
            'It was reported now and could not be booked. Find out from the bank what it is: the day stays open until it is explained.',
          ],
        }
      : found === 1
        ? {
            subject: 'Stripe or the bank has a difference that belongs to no transfer',
            paragraphs: [
              'The comparison with the books found it now. The day stays open until it is explained, or accepted by two persons.',
            ],
          }
        : {
            subject: `Stripe or the bank has ${found} differences that belong to no transfer`,
            paragraphs: [
              'The comparison with the books found them now. The day stays open until they are explained, or accepted by two persons.',
            ],
          }),
    details: first.map(({ cause, amount, currency, day, reference }) => [
      causeNames[cause],
      [amount && money(amount, currency), dayText(startOfDay(day).toISOString()), reference]
        .filter(Boolean)
        .join(' · '),
    ]),
    action: 'Open the reconciliation',
  }),
  hold_ending: ({ amount, currency, transferId, hours, captureBefore }) => ({
    subject: `Less than ${hours} hours are left to decide on ${money(amount, currency)}`,
    paragraphs: [
      `The transfer ${referenceOf(transferId)} still awaits a decision. The hold on the card ends on ${moment(captureBefore)}.`,
      'Without a decision before that, the transfer expires and nothing is charged.',
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
      `${requestedBy} requested to move ${money(amount, currency)} of the transfer${transferId ? ` ${referenceOf(transferId)}` : ''}. Reason: ${reason || 'none given'}`,
      'Check it, and approve or reject it. It is not done unless another person approves it.',
    ],
    action: 'Check the request',
  }),
  money_stopped: ({ reason, cause, setBy, ...reach }) => ({
    subject: `Money stopped: ${stopped(reach)}`,
    paragraphs: [
      `${setBy ?? 'The system'} stopped ${stopped(reach)} for the following reason: ${cause ? stopCauseNames[cause] : reason}`,
      'What is stopped waits; voids and refunds continue. It takes two people to lift the stop.',
    ],
    action: 'Open the stops',
  }),
  role_waiting: ({ name, role, requestedBy }) => ({
    subject: `A role waits for your confirmation: ${roleNames[role]} for ${name}`,
    paragraphs: [
      `${requestedBy} requested the role ${roleNames[role]} for ${name}.`,
      'Confirm it only if you know who they are and what they need it for, or decline it. It has no effect unless another person confirms it.',
    ],
    action: 'Check the role',
  }),
  role_changed: ({ name, from, role, requestedBy, confirmedBy }) => ({
    subject: role === null ? `${name} no longer administers Chasqui` : `${name} has another role: ${roleNames[role]}`,
    paragraphs: [
      `The role was ${from === null ? 'none' : roleNames[from]} and is now ${role === null ? 'none' : roleNames[role]}.`,
      requestedBy === null
        ? 'The operator changed it on the command line.'
        : confirmedBy === null
          ? `${requestedBy} changed it.`
          : `${requestedBy} requested it and ${confirmedBy} confirmed it. For one day they cannot be the second person of a decision.`,
      'If this should not be, take the role away now and tell the other owners.',
    ],
    action: 'See the person',
  }),
  money_stop_lift_waiting: ({ requestedBy, reason, ...reach }) => ({
    subject: `A stop waits for you to lift it: ${stopped(reach)}`,
    paragraphs: [
      `${requestedBy} requested to lift this stop: ${stopped(reach)}. Reason: ${reason}`,
      'Check it, and confirm or decline it. The money stays stopped unless another person confirms it.',
    ],
    action: 'Check the stop',
  }),
  money_stop_lifted: ({ requestedBy, confirmedBy, reason, setAt, ...reach }) => ({
    subject: `Stop lifted: ${stopped(reach)}`,
    paragraphs: [
      `${requestedBy} requested to lift the stop of ${moment(setAt)} and ${confirmedBy} confirmed it. Reason: ${reason}`,
      'What was waiting continues now, except for what another stop covers.',
    ],
    action: 'Open the stops',
  }),
};

/** The scope of a stop, "card charges". */
function stopped({ scope, rail }: StopReach): string {
  if (scope === 'captures') return 'card charges';
  if (scope === 'everything') return 'card charges and payouts';
  return rail === 'bank' ? 'bank payouts' : 'payouts';
}

const stopCauseNames: Readonly<Record<StopCause, string>> = {
  insufficient_funds: 'the bank has too little of our money for the payouts',
  daily_limit: "the payouts have reached the bank's daily limit",
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

const caseMessages: Readonly<Record<CaseReason, string>> = {
  operation_slow: 'an operation takes longer than normal',
  operation_abandoned: 'an operation is no longer attempted',
  operation_refused: 'a provider refused an operation',
  names_not_cleared: 'a name is not cleared of the sanctions lists',
  payout_not_allowed: 'the bank does not pay this person',
  payout_unexplained: 'the bank refused a payout for an unknown reason',
  payout_rejected: 'the bank refused the account',
  payout_returned: 'the bank returned a payment',
  payout_returned_in_part: 'the bank returned part of a payment',
  refund_failed: 'the card did not accept the refund',
  refund_outside: 'money was refunded without our asking',
  captured_in_part: 'only part of the amount was captured',
  sender_blocked: "the sender's account was blocked",
  recipient_changed: 'the sender chose another recipient, who is not approved',
  settlement_by_hand: 'an admin reserved the transfer to pay it by hand',
  fraud_warning: "the card's bank warns of possible fraud",
  dispute_inquiry: "the card's bank asks about a payment",
  dispute_opened: 'the cardholder disputes a payment',
  dispute_lost: 'a card dispute was lost',
  correction_failed: 'what corrects a complaint could not be done',
  books_differ: 'the books do not agree with Stripe or the bank',
  contradiction: 'a provider says something that cannot be',
};

const guardRailMessages: Readonly<Record<GuardRail, string>> = {
  step_too_large: 'The change is larger than what one person may do alone in a day.',
  above_reference: 'It is above what the market pays.',
  stale_sources: 'There is no recent market reference to compare it with.',
};

const causeNames: Readonly<Record<CauseOfNoTransfer, string>> = {
  stripe_unknown: 'Stripe movement without a transfer',
  bank_fee: "The bank's fee",
  bank_debit_unknown: 'Money out of the bank without a transfer',
  bank_credit_unknown: 'Money into the bank without a transfer',
  return_unknown: 'Return by the bank that belongs to no transfer or could not be read',
  bank_balance_gap: 'The statement begins with another balance',
};
