import { expect, test } from 'vitest';
import { usePaymentFixture } from '../../testing/payment-fixture.ts';
import { closeMissedCases } from './close-missed-cases.ts';
import { openCase } from './desk-case.repository.ts';

const fixture = usePaymentFixture();

test('a case that was opened while its transfer moved on is closed by the sweep, one that still needs a person is not', async () => {
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
