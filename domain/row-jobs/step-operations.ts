import type { OperationKind } from '#core/operations/operation';
import { isEndedUnpaid } from '#core/operations/reducer';
import type { MoveName } from '#core/transfers/states';
import type { EntityManager } from '#platform/database/database';
import { endOperation, openOperation } from '../provider-calls/operation.repository.ts';
import { postPayout } from '../transfers/ledger.repository.ts';
import type { StepSubscriber, TransferStep } from '../transfers/steps.ts';

/** The operations that a move ends, with their status, and those it opens unless one of the kind is open. */
interface OperationsOfMove {
  readonly ends?: Partial<Record<OperationKind, 'succeeded' | 'failed' | 'abandoned'>>;
  readonly opens?: OperationKind;
}

const operationsOfMoves: Partial<Record<MoveName, OperationsOfMove>> = {
  hold: { ends: { authorization: 'succeeded' } },
  expire_quote: { ends: { authorization: 'failed' } },
  stop_declined: { ends: { authorization: 'failed' }, opens: 'void' },
  refuse_over_limit: { ends: { authorization: 'succeeded' }, opens: 'void' },
  refuse_repeated: { ends: { authorization: 'succeeded' }, opens: 'void' },
  withdraw: { ends: { authorization: 'abandoned' }, opens: 'void' },
  approve: { opens: 'capture' },
  reject: { opens: 'void' },
  expire_authorization: { opens: 'void' },
  lose_authorization: { opens: 'void' },
  cancel_authorization: { ends: { capture: 'abandoned' }, opens: 'void' },
  revoke_approval: { ends: { capture: 'abandoned' }, opens: 'void' },
  fail_capture: { ends: { capture: 'failed' }, opens: 'void' },
  // A requested void came too late.
  capture: { ends: { capture: 'succeeded', void: 'abandoned' }, opens: 'payout' },
  pay_out: { ends: { payout: 'succeeded' } },
  pay_by_hand: { ends: { payout: 'succeeded' } },
  book_hand_payout: { ends: { payout: 'succeeded', refund: 'abandoned' } },
  reject_payout: { ends: { payout: 'failed' } },
  pay_again: { opens: 'payout' },
  cancel_charge: { ends: { payout: 'abandoned' }, opens: 'refund' },
  give_up_payout: { ends: { payout: 'abandoned' }, opens: 'refund' },
  ask_money_back: { opens: 'refund' },
  expire_correction: { opens: 'refund' },
  refund_outside: { ends: { payout: 'abandoned' } },
};

/** Ends and opens the operations on card and bank that a step of a transfer requires, and books a successful payout. */
export const moveOperations: StepSubscriber = async (em, step) => {
  const { transfer, name, at } = step;
  // It ended while its payment intent was being created.
  if (name === 'attach_intent' && isEndedUnpaid(transfer.state)) await openOperation(em, transfer, 'void', { at });
  if (name === 'void_authorization') await end(em, step, 'void', 'succeeded');
  const { ends = {}, opens } = (step.move && operationsOfMoves[step.move]) ?? {};
  for (const [kind, status] of Object.entries(ends)) await end(em, step, kind as OperationKind, status);
  if (opens) await open(em, step, opens);
};

async function end(
  em: EntityManager,
  { transfer, columns, at }: TransferStep,
  kind: OperationKind,
  status: 'succeeded' | 'failed' | 'abandoned',
): Promise<void> {
  const providerReference = kind === 'payout' ? columns.payoutReference : transfer.paymentIntentId;
  const ended = await endOperation(em, transfer, kind, { status, providerReference: providerReference ?? null, at });
  if (!ended || kind !== 'payout' || status !== 'succeeded') return;
  postPayout(em, transfer, ended, at);
  await em.flush();
}

async function open(em: EntityManager, { transfer, owedMinor, at }: TransferStep, kind: OperationKind): Promise<void> {
  // Without a payment intent there is nothing to void; if one is being created, attaching it opens the void.
  if (kind === 'void' && transfer.paymentIntentId == null) return;
  if (kind !== 'refund') return void (await openOperation(em, transfer, kind, { at }));
  const amountMinor = owedMinor ?? transfer.amountMinor;
  if (amountMinor > 0n) await openOperation(em, transfer, kind, { at, amountMinor });
}
