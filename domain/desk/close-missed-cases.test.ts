import { expect, test } from 'vitest';
import { usePaymentFixture } from '../../testing/payment-fixture.ts';
import { closeMissedCases } from './close-missed-cases.ts';
import { openCase } from './desk-case.repository.ts';

const fixture = usePaymentFixture();

test('the sweep closes a case opened during a concurrent move that settles it, but not one that still needs a person', async () => {
  const id = await fixture.create({ state: 'captured' });
  const open = (operationId: string, reason: 'operation_slow' | 'contradiction') =>
    fixture.database.transaction((em) => openCase(em, { transferId: id, operationId, reason, at: fixture.now }));
  const [capture] = await fixture.operations(id, 'capture');
  const [payout] = await fixture.operations(id, 'payout');
  await open(capture?.id ?? '', 'operation_slow');
  await open(payout?.id ?? '', 'contradiction');
  await closeMissedCases(fixture.context);
  expect(await fixture.openCases(id)).toEqual(['contradiction']);
});
