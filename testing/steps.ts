import { type Move, type MoveName, transferMoves } from '#core/transfers/states';
import type { TransferStep } from '#domain/transfers/steps';
import type { Transfer } from '#domain/transfers/transfer.repository';
import type { Database } from '#platform/database/database';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { testMoment } from './transfers.ts';

/**
 * A step of a transfer as its subscribers receive it: the next version, in the state that a move leads to, paid, with
 * the changes in `after`. The row is not changed.
 */
export function testStep(
  before: Transfer,
  name: string,
  { after = {}, ...rest }: { after?: Partial<Transfer> } & Partial<Pick<TransferStep, 'email' | 'at'>> = {},
): TransferStep {
  const move = Object.hasOwn(transferMoves, name) ? (name as MoveName) : null;
  const to = move && (transferMoves[move] as Move).to;
  const { version, state, paidAt } = before;
  const transfer = { ...before, version: version + 1, state: to ?? state, paidAt: paidAt ?? testMoment, ...after };
  return { name, move, to, before, transfer, columns: after, actorId: null, at: testMoment, ...rest };
}

/** Jobs in the outbox under a name, in the order they were added. */
export async function jobsNamed(database: Database, name: string): Promise<Pick<OutboxRow, 'data' | 'jobKey'>[]> {
  const rows = await database.fork().find(OutboxRow, { kind: 'job', name }, { orderBy: { id: 'asc' } });
  return rows.map(({ data, jobKey }) => ({ data, jobKey }));
}
