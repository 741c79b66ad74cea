/** What a rejection by the bank concerns, which decides who can resolve it. */
export const rejectionClasses = {
  account: 'The account or its holder: the sender has to choose another account.',
  person: 'The person: compliance decides, and the reason is not disclosed to the sender.',
  own: 'Our own account with the bank: the payout is made later, and payouts stop until then.',
  unknown: 'A code that is not in our table: the money stays until a person has decided.',
} as const;

export type RejectionClass = keyof typeof rejectionClasses;
export const rejectionClassNames = Object.keys(rejectionClasses) as [RejectionClass, ...RejectionClass[]];

/** Every rejection code of the bank that we know. A new one is added here before the product acts on it. */
export const bankRejections = {
  account_not_found: 'account',
  account_closed: 'account',
  account_blocked: 'account',
  name_mismatch: 'account',
  invalid_account: 'account',
  compliance_hold: 'person',
  beneficiary_not_allowed: 'person',
  beneficiary_deceased: 'person',
  insufficient_funds: 'own',
  daily_limit: 'own',
  daily_limit_reached: 'own',
} as const satisfies Readonly<Record<string, Exclude<RejectionClass, 'unknown'>>>;

export type BankRejectionCode = keyof typeof bankRejections;
export const bankRejectionCodes = Object.keys(bankRejections) as [BankRejectionCode, ...BankRejectionCode[]];

/** What a rejection with this code is about. */
export function rejectionClassOf(code: string): RejectionClass {
  return Object.hasOwn(bankRejections, code) ? bankRejections[code as BankRejectionCode] : 'unknown';
}
