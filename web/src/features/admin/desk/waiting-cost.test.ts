import { expect, test } from 'vitest';
import type { TransferState } from '#core/transfers/states';
import { plain } from '../../../testing/plain.ts';
import { sampleTransfer } from '../../../testing/sample-admin-transfer.ts';
import { sampleCase } from '../../../testing/sample-case.ts';
import { reasonMessages } from './case-messages.ts';
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

test.each([
  ['the family', '92.52', 'Es de la familia', 'a la familia le sigue faltando'],
  ['us once the sender has the whole charge back', '0.00', 'cubre nuestra pérdida', 'nada más se pierde'],
] as const)('what the bank returned belongs to %s', (_, owed, what, cost) => {
  const one = sampleCase({ reason: 'payout_returned_in_part', rest: '100.00', owed });
  expect(reasonMessages.payout_returned_in_part.what(one)).toContain(what);
  expect(costOfWaiting(one)).toContain(cost);
});
