import { formatMinor } from '#core/money';
import { Transfer } from '#platform/database/schema/transfers';
import { claimPayout, moveTransfer } from '#platform/database/transfers';
import type { Engine } from '../engine.ts';
import { Hopeless } from '../retry.ts';

/** The charged money reaches the family: claimed, paid once by the bank, then `completed` with the bank's reference. */
export async function payOut(engine: Engine, transferId: string): Promise<void> {
  const seen = await engine.database.read().findOne(Transfer, { id: transferId });
  if (seen?.state !== 'captured') return;
  const { payoutTarget } = seen;
  if (!payoutTarget) throw new Hopeless('a captured transfer has nobody to pay');
  // Committed before the bank hears of it: from here on nobody can cancel, and whoever cancelled before is not paid out.
  const transfer = await engine.database.transaction((em) => claimPayout(em, seen.id, engine.now()));
  if (!transfer) return;
  const { name, ci, bankName, bankAccount, phone, city } = payoutTarget;
  const answer = await engine.bank.pay({
    externalId: transfer.id,
    amount: formatMinor(transfer.bolivianosMinor),
    currency: 'BOB',
    beneficiary: { name, ci, bankName, bankAccount, phone, city },
  });
  if (answer.externalId !== transfer.id || answer.amount !== formatMinor(transfer.bolivianosMinor)) {
    throw new Hopeless('the bank answered about another payout');
  }
  await engine.database.transaction((em) =>
    answer.status === 'paid'
      ? moveTransfer(em, transfer.id, 'pay_out', { at: engine.now(), changes: { payoutReference: answer.reference } })
      : moveTransfer(em, transfer.id, 'return', {
          at: engine.now(),
          changes: { reason: `El banco no pudo pagar: ${answer.rejection?.message ?? 'sin motivo'}` },
        }),
  );
}
