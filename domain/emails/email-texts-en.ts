import type { IdentityDeclineReason } from '#core/accounts/tiers';
import { formats } from '#core/locale/format';
import { receiptTexts } from '#core/papers/receipt-texts';
import type { QuestionCode } from '#core/review/questions';
import type { RejectionCode } from '#core/review/rejection';
import { declinedMax, type OwnReason, ownReasonOf } from '#core/transfers/own-reasons';
import { referenceOf } from '#core/transfers/reference';
import { englishComplaintTexts } from './complaint-texts-en.ts';
import type { EmailData } from './email-kinds.ts';
import type { EmailTexts } from './email-texts.ts';
import { englishAdminTexts } from './email-texts-admin-en.ts';
import { englishRefundTexts } from './refund-texts-en.ts';
import { englishRepeatTexts } from './repeat-texts-en.ts';
import { englishRestTexts } from './rest-texts-en.ts';

const { money, bolivianos, rate, rateLine, day, moment } = formats.en;

/** Why an identity check was declined, and what to do. */
const declineSentences: Readonly<Record<IdentityDeclineReason, string>> = {
  unreadable:
    'We could not read the document. Take the picture in good light, without glare and with all four edges in it.',
  expired: 'The document has expired. Send a valid one.',
  mismatch: 'What you typed does not match the document. Check the name, number and date of birth.',
  not_accepted: 'We cannot accept this document. Use your passport, identity card or residence permit.',
  in_use:
    'This document is already verified in another account. If that one is yours, log in to it. If not, write to us from the Help page and we will look into it.',
};

/** What the undo link of a security e-mail does, for readers who did not make the change. */
const undoSentence = (undoUntil: string) =>
  `If it was not you, recover your account with the link until ${moment(undoUntil)}: all sessions end, the password stops working, and passkeys, app and codes are again those of seven days before.`;
const undoAction = 'It was not me: recover my account';

/** The e-mails in English. */
export const englishTexts: EmailTexts = {
  greeting: (name) => (name === null ? 'Hello,' : `Hello ${name},`),
  foot: 'Chasqui · You receive this email because you have an account with us.',
  choose: 'Choose which emails I get',
  kinds: {
    ...englishAdminTexts,
    password_recovery: () => ({
      subject: 'Change your Chasqui password',
      paragraphs: [
        'You asked for a link to set a new password. It is valid for one hour from when you asked for it and can be used once.',
        'If it was not you, do nothing: your password stays the same. Do not share this link with anyone; Chasqui never asks you for it.',
      ],
      action: 'Set a new password',
    }),
    password_changed: ({ changedAt, keptSession, undoUntil }) => ({
      subject: 'Your password changed',
      paragraphs: [
        `The password of your account changed on ${moment(changedAt)}. ${
          keptSession
            ? 'We closed your sessions on your other devices: log in there with the new one.'
            : 'We closed your sessions on all your devices: log in again with the new one.'
        }`,
        ...(undoUntil === null
          ? ['If it was not you, ask for another link to change it right now, and check who else can read your email.']
          : [
              undoSentence(undoUntil),
              'Use the same link if you are asked for a passkey or a code that is not yours when you log in.',
            ]),
      ],
      action: undoUntil === null ? 'It was not me: change it again' : undoAction,
    }),
    second_factor_changed: ({ change, at, recoveryCodesLeft, passkey, undoUntil }) => {
      const when = moment(at);
      const said = {
        added: [
          'turned on',
          `From ${when} on, logging in to your account also takes a code from your app. We ended your sessions on your other devices. Keep your recovery codes: they let you in if you lose your phone.`,
        ],
        removed: ['turned off', `From ${when} on, your password is enough to log in to your account.`],
        app_added: ['new app', `From ${when} on, you can also log in with a code from your app.`],
        app_removed: [
          'app removed',
          `From ${when} on, we no longer ask for the code from your app. Your passkeys still work.`,
        ],
        passkey_added: [
          'new passkey',
          `On ${when} the passkey "${passkey}" was added to your account. It signs in without password or code. With the password we now also ask for a second step.`,
        ],
        passkey_removed: [
          'passkey removed',
          `On ${when} the passkey "${passkey}" was removed from your account. It no longer signs in.`,
        ],
        reset: [
          'we removed it',
          `Someone at Chasqui removed it on ${when} because you had lost your codes, and we ended all your sessions. Log in with your password and turn it on again.`,
        ],
        codes_renewed: ['new codes', `You created them on ${when}. The earlier ones no longer work.`],
        recovery_code_used: [
          'a recovery code was used',
          `On ${when} someone used one of your recovery codes in your account. You have ${recoveryCodesLeft} left.`,
        ],
      } as const;
      const [what, sentence] = said[change];
      return {
        subject: `Two-step verification: ${what}`,
        paragraphs: [
          sentence,
          undoUntil === null
            ? 'If it was not you, change your password now, end your other sessions and write to us.'
            : undoSentence(undoUntil),
        ],
        action: undoUntil === null ? 'See my security' : undoAction,
      };
    },
    new_device: ({ at, browser, system, undoUntil }) => ({
      subject: 'You logged in to your account on a new device',
      paragraphs: [
        `On ${moment(at)} someone logged in to your account on a device you had not used before: ${
          [browser, system].filter(Boolean).join(', ') || 'one that does not say what it is'
        }.`,
        ...(undoUntil === null
          ? [
              'If it was you, there is nothing to do. If not, end that session, change your password and turn on two-step verification.',
            ]
          : ['If it was you, there is nothing to do.', undoSentence(undoUntil)]),
      ],
      action: undoUntil === null ? 'See my sessions' : undoAction,
    }),
    email_proof: ({ code }) => ({
      subject: `${code} is your code to confirm your email`,
      paragraphs: [
        `Your code is ${code}. Type it in Chasqui before your first payment, or open the link on any device. Both work for 24 hours, once.`,
        'That way we know that receipts and news of your transfers reach you. Do not share the code with anyone: we will never ask for it by phone or message.',
        'If you did not open an account with Chasqui, do nothing: someone entered your address by mistake.',
      ],
      action: 'Confirm my email',
    }),
    identity_checked: ({ level, reason }) => {
      const what = level === 'identity' ? 'Your identity data is' : 'Your document is';
      if (reason === null)
        return {
          subject: 'Your identity check is done',
          paragraphs: [
            `${what} verified. From now on you can send more.`,
            'Your account shows how much you can send per transfer, per day and in 30 days.',
          ],
          action: 'See my limits',
        };
      return {
        subject: 'Your identity check could not be completed',
        paragraphs: [
          declineSentences[reason],
          'You can send it again from your account. Your present limits stay as they are.',
        ],
        action: 'Try again',
      };
    },
    email_change: () => ({
      subject: 'Confirm your new email address at Chasqui',
      paragraphs: [
        'You asked to use this address for your Chasqui account. The link is valid for one hour from when you asked for it and can be used once. Until then, your account keeps its current address.',
        'If it was not you, do nothing: someone entered your address by mistake.',
      ],
      action: 'Confirm this address',
    }),
    email_changed: ({ newEmail, changedAt, undoUntil }) => ({
      subject: 'The email address of your account changed',
      paragraphs: [
        `The address of your account changed on ${moment(changedAt)}. From now on we write to ${newEmail ?? 'another address'}, and you log in with it. We closed the sessions on the other devices.`,
        undoUntil === null
          ? 'If it was not you, write to us right now: a person looks into it.'
          : `${undoSentence(undoUntil)} This address comes back as well.`,
      ],
      action: undoUntil === null ? 'It was not me: write to Chasqui' : undoAction,
    }),
    email_restored: ({ restoredAt, since }) => ({
      subject: 'You recovered your Chasqui account',
      paragraphs: [
        `Your account has this address again since ${moment(restoredAt)}. We closed all sessions, and the password it had does not work any more.`,
        ...(since === null
          ? []
          : [`Passkeys, authenticator app and codes are again those you had on ${moment(since)}.`]),
        'Set a new password now and look at your last transfers. If you see something you did not do, write to us.',
      ],
      action: 'Set a new password',
    }),
    email_withdrawn: ({ restoredAt }) => ({
      subject: 'Your address is no longer that of a Chasqui account',
      paragraphs: [
        `On ${moment(restoredAt)} a change of an account that used this address was undone, with the link that we sent to the address before. The account went back to that address, and we ended all sessions.`,
        'If the account is yours and it was not you, write to us right now: a person looks into it.',
      ],
      action: 'Write to Chasqui',
    }),
    account_closed: ({ closedAt }) => ({
      subject: 'We closed your Chasqui account',
      paragraphs: [
        `You closed your account on ${moment(closedAt)}. We ended your sessions, and delete your recipients, alerts and contact details unless the law makes us keep them.`,
        'We keep your transfers and the details that the law requires, for as long as it requires. No one can log in or send money with this account.',
        'If it was not you, write to us right now.',
      ],
      action: 'Write to Chasqui',
    }),
    rate_alert: ({ currency, rate: wanted, firedRate }) => ({
      subject: `The rate reached your value: ${rateLine(firedRate, currency)}`,
      paragraphs: [
        `You asked for an alert when 1 ${currency} reaches ${rate(wanted)}. This is the rate now: ${rateLine(firedRate, currency)}.`,
        'The rate may change at any time. It is fixed when you confirm your transfer.',
      ],
      action: 'Send money',
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
        'We cannot approve it without one. If no recipient is chosen in time, the hold is released and nothing is charged.',
      ],
      details: [['Number of your transfer', referenceOf(data.transferId)]],
      action: 'Choose a recipient',
    }),
    transfer_approved: (data) => ({
      subject: `We approved your transfer of ${money(data.amount, data.currency)}`,
      paragraphs: [
        `Now we charge your card and ask the bank to deposit ${bolivianos(data.bolivianos)}. We expect it to arrive on ${day(data.arrival)}.`,
        ...better(data),
        'We write to you again when the bank confirms the deposit.',
      ],
      details: payout(data),
      action: 'See my transfer',
    }),
    transfer_cancel_requested: (data) => ({
      subject: `We received your request to cancel the transfer of ${money(data.amount, data.currency)}`,
      paragraphs: [
        'We had already sent the deposit to the bank and do not know yet whether it was made. We send nothing more to the bank: we only wait for its answer.',
        'If the deposit was not made, we return everything, fee included. If it had already been made, we email you the reference.',
      ],
      details: [['Number of your transfer', referenceOf(data.transferId)]],
      action: 'See my transfer',
    }),
    transfer_paid: (data) => ({
      subject: data.cancelRequestedAt
        ? `We could not cancel: the bank had already deposited ${bolivianos(data.bolivianos)}`
        : data.byHand
          ? `We paid ${bolivianos(data.bolivianos)} to your family`
          : `We deposited ${bolivianos(data.bolivianos)} to your family`,
      paragraphs: [
        ...(data.cancelRequestedAt
          ? [
              `You asked to cancel on ${moment(data.cancelRequestedAt)}, but the bank confirmed that the money had already been deposited. A deposit cannot be undone.`,
            ]
          : []),
        data.byHand
          ? `Someone at Chasqui paid your family by other means, so the money may not be in the account you gave us. We recorded the payment on ${moment(data.at)}.`
          : `The bank confirmed the deposit on ${moment(data.at)}.`,
        ...better(data),
        `Keep this email as your proof: with the reference the bank finds the ${data.byHand ? 'payment' : 'deposit'}.`,
      ],
      details: [
        [data.byHand ? 'Amount paid' : 'Amount deposited', bolivianos(data.bolivianos)],
        ...(data.byHand ? [] : account(data)),
        ...(data.reference === null ? [] : [["Bank's reference", data.reference] as const]),
        ...(data.byHand ? [] : [['Date and time of the deposit', moment(data.at)] as const]),
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
      paragraphs: [...because(data), released(data)],
      details: [['Number of your transfer', referenceOf(data.transferId)]],
      action: 'See my transfer',
    }),
    transfer_cancelled: (data) => ({
      subject: `You cancelled your transfer of ${money(data.amount, data.currency)}`,
      paragraphs: [released(data), 'If it was not you, change your password and write to us.'],
      details: [['Number of your transfer', referenceOf(data.transferId)]],
      action: 'See my transfer',
    }),
    transfer_ended: (data) => ({
      subject: data.mayBeCharged
        ? `Your transfer of ${money(data.amount, data.currency)} ended`
        : `Your transfer of ${money(data.amount, data.currency)} ended without a charge`,
      paragraphs: [...because(data), released(data)],
      details: [['Number of your transfer', referenceOf(data.transferId)]],
      action: 'See my transfer',
    }),
    transfer_question: (data) => ({
      subject: `We need an answer about your transfer of ${money(data.amount, data.currency)}`,
      paragraphs: [
        ...(data.code === null ? [] : [questionMessages[data.code]]),
        ...(data.note === null ? [] : [`A person at Chasqui asks you: ${data.note}`]),
        data.answerBy === null
          ? 'Without your answer we may not be able to approve it. Nothing has been charged yet.'
          : `Without your answer we may not be able to approve it. The hold on your card ends on ${moment(data.answerBy)}; without a decision before that, nothing is charged.`,
        'Answer in your account: do not reply to this email. We never ask for your password or the number of your card.',
      ],
      details: [['Number of your transfer', referenceOf(data.transferId)]],
      action: 'Answer',
    }),
    payout_failed: ({ amount, currency, bolivianos: paidOut, returned, correctBy, parts }) => ({
      subject:
        correctBy === null
          ? 'The bank could not pay your transfer'
          : 'The bank could not pay your transfer: check the account',
      paragraphs: [
        returned
          ? `The bank returned the payment of ${bolivianos(paidOut)} of your transfer of ${money(amount, currency)}: your family did not receive it.`
          : `The bank refused the account of your transfer of ${money(amount, currency)}: the ${bolivianos(paidOut)} have not arrived yet.`,
        ...(correctBy === null
          ? [
              parts
                ? `You already got ${money(parts.back, currency)} back. We still have the remaining ${money(parts.left, currency)}: ask for it back in Chasqui.`
                : 'Your money is with us. Ask for it back in Chasqui, and all of it returns to your card, including the fee.',
            ]
          : [
              parts
                ? `Choose another account and we pay it again, at the same rate and without another charge. Or ask for the remaining ${money(parts.left, currency)} back: you already got ${money(parts.back, currency)}.`
                : 'Choose another account and we pay it again, at the same rate and without another charge. Or ask for your money back: all of it returns to your card, including the fee.',
              ...deadline(correctBy),
            ]),
      ],
      action: correctBy === null ? 'See my transfer' : 'Correct the account',
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
    account_not_corrected: ({ amount, currency, mayCorrect, parts }) => ({
      subject: `We are refunding ${money(parts?.left ?? amount, currency)}`,
      paragraphs: [
        `The bank could not pay your transfer of ${money(amount, currency)}${mayCorrect ? ' and the account was not corrected in time' : ''}. ${
          parts
            ? `You already got ${money(parts.back, currency)} back; the remaining ${money(parts.left, currency)} now returns to your card.`
            : 'All your money returns to your card, including the fee.'
        } Your bank may take a few days to show it.`,
        ...(mayCorrect ? ['You can make another transfer when you have the details of the account.'] : []),
      ],
      action: 'See my transfer',
    }),
    ...englishRepeatTexts,
    ...englishRefundTexts,
    ...englishRestTexts,
    ...englishComplaintTexts,
  },
};

type Step = EmailData<'transfer_held'>;

/** The destination account, as far as the sender needs to recognize it. */
function account({ bank, account }: Step): (readonly [string, string])[] {
  return [
    ...(bank === null ? [] : [['Bank or wallet', bank] as const]),
    ...(account ? [['Account', `ends in ${account}`] as const] : []),
  ];
}

/** That a better rate than the accepted one applies. */
const better = ({ better, currency }: Step): string[] =>
  better ? [receiptTexts.en.betterRate({ ...better, currency })] : [];

function payout(data: Step): (readonly [string, string])[] {
  return [
    ['Arrives', bolivianos(data.bolivianos)],
    ...account(data),
    ['Number of your transfer', referenceOf(data.transferId)],
  ];
}

/** That the authorization was released, and whether anything was charged. */
const released = ({ mayBeCharged }: { mayBeCharged: boolean }) =>
  `${
    mayBeCharged
      ? 'We released the hold on your card. If your card was charged, we refund all of it.'
      : 'Nothing was charged: we released the hold on your card.'
  } Your bank may take a few days to show it.`;

/** The reason for the end: our own reasons without the refund, others as an admin or a bank wrote them, in Spanish. */
function because({ reason, rejectionCode: code }: Step): string[] {
  if (code !== null) return [rejectionMessages[code], ...(reason === null ? [] : [`Reason: ${reason}`])];
  if (reason === null) return [];
  const own = ownReasonOf(reason);
  return [own ? ownReasonMessages[own] : `Reason: ${reason}`];
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
  reminder_paid: 'You had already paid this repeating transfer with another payment.',
  account_declined_too_often: 'Too many cards were declined in your account.',
  network_declined_too_often: 'Too many cards were declined from your connection.',
  card_declined_too_often: 'Your card was declined too many times in one day.',
  declined_too_often: `Your card was declined ${declinedMax} times.`,
  not_corrected: 'The account was not corrected in time.',
  not_paid_out: 'The bank could not pay that account.',
};

/** What happens if the sender does nothing. */
function deadline(correctBy: string | null): string[] {
  return correctBy === null ? [] : [`If you do not correct it by ${moment(correctBy)}, we refund your money.`];
}

const questionMessages: Readonly<Record<QuestionCode, string>> = {
  purpose: 'What is this transfer for?',
  relation: 'How are you related to the recipient?',
  funds_origin: 'Where does the money come from?',
  card_owner: 'Is the card yours? If not, whose is it?',
  recipient_identity: 'What are the full name and the date of birth of the recipient?',
  sender_identity: 'What are your date and place of birth?',
  duplicate: 'You already made the same transfer. Do you want to send it twice?',
};
