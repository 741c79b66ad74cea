/** Why a transfer needs a person, a sentence each for admins' documentation. */
export const caseReasons = {
  operation_slow: 'An effect has been attempted many times without a certain answer; the attempts go on.',
  operation_abandoned: 'An effect was attempted as often as the policy allows; nothing is attempted any more.',
  operation_refused: 'A provider called the request itself wrong, so repeating it is of no use.',
  payout_rejected: 'The bank refused the account or its holder; the sender was asked to correct it.',
  payout_returned: 'The bank returned a payment after it had been completed.',
  payout_returned_in_part: 'The bank returned a part of a payment; the family received the rest.',
  refund_failed: 'The card did not take the refund; the sender is owed the money.',
  refund_outside: 'Money was returned to the card without our asking for it.',
  contradiction: 'A provider says what cannot be true while the transfer is where it is.',
} as const;

export type CaseReason = keyof typeof caseReasons;
export const caseReasonNames = Object.keys(caseReasons) as [CaseReason, ...CaseReason[]];
