import { describe, expect, test } from 'vitest';
import type { DeskCaseView } from '#core/contracts/http/operations';
import { type TransferState, transferStateNames } from '#core/transfers/states';
import { sampleTransfer } from '../../../testing/sample-admin-transfer.ts';
import { sampleCase } from '../../../testing/sample-case.ts';
import { customerMeaning } from './case-messages.ts';

describe('what a case means for the sender and the family', () => {
  const meaning = (state: TransferState, reason = sampleCase().reason, changes: Partial<DeskCaseView> = {}) =>
    customerMeaning(
      sampleCase({ reason, transaction: sampleTransfer({ state, payout_returned: '250.00' }), ...changes }),
    );

  test('what a case means for the sender and the family is said in every state', () => {
    for (const state of transferStateNames) expect(meaning(state), state).toMatch(/\.$/);
  });

  test('what a case means for the sender and the family depends on who has the money', () => {
    expect(meaning('captured')).toBe('Quien envía ya pagó 100,00 EUR y su familia todavía no recibió Bs 1.291,17.');
    expect(meaning('refunding')).toBe('Quien envía pagó 100,00 EUR y espera que se le devuelvan.');
    expect(meaning('refunding', 'refund_failed', { owed: '60.00' })).toBe(
      'Quien envía pagó 100,00 EUR y espera todavía 60,00 EUR.',
    );
    expect(meaning('completed', 'payout_returned_in_part')).toBe('La familia recibió solo Bs 1.041,17 de Bs 1.291,17.');
    expect(meaning('completed', 'refund_outside')).toMatch(/lo devuelto es pérdida nuestra/);
  });
});
