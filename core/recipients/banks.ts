/** Where the family can receive, as the sender chooses it (product specification, section 1). */
export const banks = [
  'Banco Nacional de Bolivia (BNB)',
  'Banco Mercantil Santa Cruz',
  'Banco BISA',
  'Banco de Crédito (BCP)',
  'Banco Unión',
  'Banco Económico',
  'Banco Ganadero',
  'Banco FIE',
  'BancoSol',
  'Banco Prodem',
] as const;

export const wallets = ['Tigo Money'] as const;

/** Kinds of payout; each has one delivery estimate. */
export type PayoutMethod = 'bank' | 'wallet';

/** The payout method for a bank name; unknown names count as banks. */
export function payoutMethodOf(bankName: string): PayoutMethod {
  return (wallets as readonly string[]).includes(bankName) ? 'wallet' : 'bank';
}
