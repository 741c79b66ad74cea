import { Foundation } from './migration-2026-11-21-foundation.ts';
import { RateObservations } from './migration-2026-11-21-rate-observations.ts';
import { CryptoOrders } from './migration-2026-11-22-crypto-orders.ts';
import { RateDesk } from './migration-2026-11-22-rate-desk.ts';
import { PasswordRecoveries } from './migration-2026-11-23-password-recoveries.ts';
import { Cancelling } from './migration-2026-11-24-cancelling.ts';
import { OwnTransfers } from './migration-2026-11-25-own-transfers.ts';
import { VerifiedEmail } from './migration-2026-11-25-verified-email.ts';
import { ObservationDays } from './migration-2026-11-26-observation-days.ts';
import { RateLimits } from './migration-2026-11-26-rate-limits.ts';
import { KnownDevices } from './migration-2026-11-27-known-devices.ts';
import { AuthorizationNames } from './migration-2026-11-28-authorization-names.ts';
import { EmailClaims } from './migration-2026-11-28-email-claims.ts';
import { FrozenTerms } from './migration-2026-11-29-frozen-terms.ts';
import { DeclinedPayments } from './migration-2026-11-30-declined-payments.ts';
import { LedgerCheckSearchPath } from './migration-2026-11-30-ledger-check-search-path.ts';
import { TransferSearch } from './migration-2026-12-01-transfer-search.ts';
import { TransferTotals } from './migration-2026-12-02-transfer-totals.ts';
import { Operations } from './migration-2026-12-03-operations.ts';
import { OperationsDesk } from './migration-2026-12-04-operations-desk.ts';
import { BankReturns } from './migration-2026-12-05-bank-returns.ts';
import { Disputes } from './migration-2026-12-05-disputes.ts';

/** Every migration in the order it is run. Names are kept in the database: never rename one that was released. */
export const migrations = [
  { name: '2026-11-21-foundation', class: Foundation },
  { name: '2026-11-21-rate-observations', class: RateObservations },
  { name: '2026-11-22-crypto-orders', class: CryptoOrders },
  { name: '2026-11-22-rate-desk', class: RateDesk },
  { name: '2026-11-23-password-recoveries', class: PasswordRecoveries },
  { name: '2026-11-24-cancelling', class: Cancelling },
  { name: '2026-11-25-own-transfers', class: OwnTransfers },
  { name: '2026-11-25-verified-email', class: VerifiedEmail },
  { name: '2026-11-26-observation-days', class: ObservationDays },
  { name: '2026-11-26-rate-limits', class: RateLimits },
  { name: '2026-11-27-known-devices', class: KnownDevices },
  { name: '2026-11-28-authorization-names', class: AuthorizationNames },
  { name: '2026-11-28-email-claims', class: EmailClaims },
  { name: '2026-11-29-frozen-terms', class: FrozenTerms },
  { name: '2026-11-30-declined-payments', class: DeclinedPayments },
  { name: '2026-11-30-ledger-check-search-path', class: LedgerCheckSearchPath },
  { name: '2026-12-01-transfer-search', class: TransferSearch },
  { name: '2026-12-02-transfer-totals', class: TransferTotals },
  { name: '2026-12-03-operations', class: Operations },
  { name: '2026-12-04-operations-desk', class: OperationsDesk },
  { name: '2026-12-05-bank-returns', class: BankReturns },
  { name: '2026-12-05-disputes', class: Disputes },
];
