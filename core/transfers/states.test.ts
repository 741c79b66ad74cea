import { describe, expect, test } from 'vitest';
import {
  finalStates,
  type Move,
  type MoveName,
  paidStates,
  reopeningMoves,
  statesOf,
  statusOf,
  type TransferState,
  transferMoves,
  transferStateNames,
  transferStates,
  transferStatuses,
  transferStatusNames,
} from './states.ts';

const start: TransferState = 'awaiting_payment';
const moves = Object.entries(transferMoves) as [MoveName, Move][];
/** Nothing was taken from the card in these states, and nothing may be. */
const beforeCharge = new Set<TransferState>(['awaiting_payment', 'in_review', 'approved']);

interface Path {
  readonly states: readonly TransferState[];
  readonly moves: readonly MoveName[];
}

/** Every way a transfer can go from its opening to a final state, without what reopens it and without going in circles. */
function allPaths(path: Path = { states: [start], moves: [] }): Path[] {
  const state = path.states.at(-1) as TransferState;
  const next = moves.filter(
    ([name, move]) => move.from.includes(state) && !reopeningMoves.has(name) && !path.states.includes(move.to),
  );
  if (next.length === 0) return [path];
  return next.flatMap(([name, move]) => {
    return allPaths({ states: [...path.states, move.to], moves: [...path.moves, name] });
  });
}
const paths = allPaths();

describe('the table', () => {
  test.each(moves)('the move %s has an owner, a reason and starts where it does not end', (_, move) => {
    expect(['sender', 'admin', 'payments', 'payouts', 'clock']).toContain(move.owner);
    expect(move.reason).toMatch(/^[A-Z].{10,}\.$/);
    expect(move.from.length).toBeGreaterThan(0);
    expect(new Set(move.from).size).toBe(move.from.length);
    expect(move.from).not.toContain(move.to);
    for (const state of [...move.from, move.to]) expect(transferStateNames).toContain(state);
  });

  test.each(Object.entries(transferStates))('the state %s is described in a sentence', (_, sentence) => {
    expect(sentence).toMatch(/^[A-Z].{20,}\.$/);
  });

  test('every transfer state can be reached from the opening', () => {
    expect(new Set(paths.flatMap((path) => path.states))).toEqual(new Set(transferStateNames));
  });

  test('every path of a transfer ends, and ends in a final state', () => {
    expect(new Set(paths.map((path) => path.states.at(-1)))).toEqual(new Set(finalStates));
  });

  test('exactly these transfer states are final: only the outside world leads out of them', () => {
    expect(new Set(finalStates)).toEqual(
      new Set(['completed', 'rejected', 'cancelled', 'failed', 'expired', 'refunded']),
    );
    for (const [name, move] of moves) {
      if (reopeningMoves.has(name)) expect(move.from.some((state) => finalStates.includes(state))).toBe(true);
      else for (const state of finalStates) expect(move.from).not.toContain(state);
    }
  });
});

describe('money', () => {
  test('no path of a transfer reaches completed or a refund without being captured', () => {
    const charged = paths.filter(({ states }) => states.some((state) => /completed|refund/.test(state)));
    expect(charged.length).toBeGreaterThan(0);
    for (const { states } of charged) expect(states).toContain('captured');
  });

  test('no path of a transfer is captured without a hold, then an approval by an admin and then the capture', () => {
    const captured = paths.filter(({ states }) => states.includes('captured'));
    expect(captured.length).toBeGreaterThan(0);
    for (const path of captured) {
      expect(path.states.slice(0, 4)).toEqual(['awaiting_payment', 'in_review', 'approved', 'captured']);
      expect(path.moves.slice(0, 3)).toEqual(['hold', 'approve', 'capture']);
    }
    expect(transferMoves.approve.owner).toBe('admin');
    expect(transferMoves.capture.owner).toBe('payments');
  });

  test('captured money either reaches the family or goes back: those paths end completed or refunded', () => {
    for (const { states } of paths) {
      const end = states.at(-1) as TransferState;
      expect(states.includes('captured')).toBe(['completed', 'refunded'].includes(end));
    }
  });

  test('only the capture of a transfer charges: every other move out of an uncharged state stays uncharged', () => {
    for (const [name, move] of moves) {
      if (name === 'capture' || !move.from.some((state) => beforeCharge.has(state))) continue;
      expect(['captured', 'completed', 'refunding', 'refunded']).not.toContain(move.to);
    }
  });

  test('after the charge people only correct, replace, give up or take back a payout that the bank does not make', () => {
    for (const [name, move] of moves) {
      if (move.from.every((state) => beforeCharge.has(state))) continue;
      if (['pay_again', 'give_up_payout', 'ask_money_back', 'pay_by_hand', 'book_hand_payout'].includes(name))
        expect(['sender', 'admin']).toContain(move.owner);
      else if (name === 'expire_correction') expect(move.owner).toBe('clock');
      else expect(['payments', 'payouts']).toContain(move.owner);
    }
  });

  test('people decide only where the specification lets them', () => {
    const of = (owner: Move['owner']) => moves.filter(([, move]) => move.owner === owner).map(([name]) => name);
    expect(of('admin')).toEqual([
      ...['approve', 'reject', 'revoke_approval', 'give_up_payout', 'pay_by_hand', 'book_hand_payout'],
    ]);
    expect(of('sender')).toEqual(['withdraw', 'pay_again', 'ask_money_back']);
    expect(transferMoves.withdraw.from).toEqual(['awaiting_payment', 'in_review']);
    expect([...transferMoves.approve.from, ...transferMoves.reject.from]).toEqual(['in_review', 'in_review']);
  });
});

describe('the status that the api sends', () => {
  test('the status of the api and its states agree', () => {
    for (const state of transferStateNames) expect(statesOf(statusOf[state])).toContain(state);
    for (const status of transferStatusNames) {
      expect(statesOf(status).length).toBeGreaterThan(0);
      for (const state of statesOf(status)) expect(statusOf[state]).toBe(status);
    }
    expect(transferStatusNames.flatMap(statesOf)).toHaveLength(transferStateNames.length);
  });

  test('the status that the api sends is pending from payment to payout, as the specification says', () => {
    expect(statesOf('pending')).toEqual(['in_review', 'approved', 'captured', 'payout_failed']);
    expect(statesOf('completed')).toEqual(['completed']);
    expect(statesOf('rejected')).toEqual(['rejected']);
  });

  test('the statuses of the api are those of the specification', () => {
    expect(transferStatuses).toMatchObject({
      completed: 'Completado',
      rejected: 'Rechazado',
      failed: 'Fallido',
      cancelled: 'Cancelado',
      refunded: 'Reembolsado',
      expired: 'Vencido',
    });
  });
});

test('a paid transfer that was not refunded is neither unpaid nor ended otherwise', () => {
  expect(new Set(paidStates).size).toBe(paidStates.length);
  const unpaid = ['awaiting_payment', ...finalStates.filter((state) => state !== 'completed'), 'refunding'];
  expect(new Set([...paidStates, ...unpaid])).toEqual(new Set(transferStateNames));
  for (const state of unpaid) expect(paidStates).not.toContain(state);
});
