import { expect, test } from 'vitest';
import type { TransferState } from '#core/transfers/states';
import { plain } from '../../../testing/plain.ts';
import { sampleTransfer } from '../../../testing/sample-admin-transfer.ts';
import { sampleCase } from '../../../testing/sample-case.ts';
import { costOfWaiting } from './waiting-cost.ts';

test.each([
  ['completed', 'nada más se pierde; la pérdida ya está en los libros y falta revisarla.'],
  ['captured', 'lo que se pague a la familia además de lo perdido es pérdida nuestra.'],
  ['payout_failed', 'lo que se pague a la familia además de lo perdido es pérdida nuestra.'],
  ['refunding', 'quien envía sigue sin sus 60,00 EUR y puede disputar el cobro.'],
  ['refunded', 'nada se pierde; quien envía ya tiene su dinero y no se pagó a nadie más.'],
] as const satisfies readonly (readonly [TransferState, string])[])(
  'what it costs to leave a lost dispute of a transfer in state %s depends on who has the money',
  (state, cost) => {
    const one = sampleCase({ reason: 'dispute_lost', owed: '60.00', transaction: sampleTransfer({ state }) });
    expect(plain(costOfWaiting(one))).toBe(cost);
  },
);
