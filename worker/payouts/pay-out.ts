import { formatMinor } from '#core/money';
import { Transfer } from '#platform/database/schema/transfers';
import { moveTransfer } from '#platform/database/transfers';
import type { Engine } from '../engine.ts';
import { Hopeless } from '../retry.ts';

/** The charged money reaches the family: one payout at the bank, then `completed` with the bank's reference. */
export async function payOut(engine: Engine, transferId: string): Promise<void> {
  const transfer = await engine.database.read().findOne(Transfer, { id: transferId });
  if (transfer?.state !== 'captured') return;
  const { payoutTarget } = transfer;
  if (!payoutTarget) throw new Hopeless('a captured transfer has nobody to pay');
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
