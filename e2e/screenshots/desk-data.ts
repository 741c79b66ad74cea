import { endpoints } from '#core/contracts/http/endpoints';
import type { CaseReason } from '#core/operations/desk-case';
import type { TransferState } from '#core/transfers/states';
import { controlSandbox } from '../../sandbox/testing/control-client.ts';
import { until } from '../until.ts';
import { type Account, addRecipient, type Demo, reaches, send } from './demo-data.ts';

/** A transfer that needs a person, for each reason that the sandbox brings about at once. */
export type DeskData = Readonly<Partial<Record<CaseReason, string>>> & {
  /** A refused payout whose return to the card waits for a second admin. */
  readonly waiting: string;
  /** Both halves of its charge are disputed. */
  readonly several: string;
};

const cards = {
  good: '4242424242424242',
  refundFails: '4000000000005126',
  disputed: '4000000000000259',
  inquiry: '4000000000001976',
  severalDisputes: '4000000404000079',
} as const;

/** Brings about every kind of exception that the sandbox can, one transfer each, for one sender. */
export async function createDeskData(demo: Demo, sender: Account): Promise<DeskData> {
  const sandbox = controlSandbox(demo.stripeUrl);
  const { client: admin } = demo.admin;
  const recipientId = await addRecipient(sender, { name: 'Rosa Mamani Condori' });
  const approved = async (state: TransferState, amount = '100.00', card: keyof typeof cards = 'good') => {
    const id = await send(demo, sender, { recipientId, amount, currency: 'eur' }, cards[card]);
    await admin.call(endpoints.approve, { params: { id } });
    await reaches(sender.client, id, state);
    return id;
  };
  const caseAbout = (transferId: string, reason: CaseReason) =>
    until(`a case ${reason}`, async () => {
      const { items } = await admin.call(endpoints.deskCases, { query: { reason, limit: 100 } });
      return items.find(({ transaction }) => transaction.id === transferId);
    });
  const refused = async (amount: string, card?: keyof typeof cards) => {
    await sandbox.fault({ kind: 'error', method: 'POST', path: '^/bank/v1/payouts', status: 422 });
    const id = await approved('captured', amount, card);
    return { id, case: await caseAbout(id, 'operation_refused') };
  };
  const giveUp = (caseId: string) =>
    admin.call(endpoints.actOnCase, {
      params: { id: caseId },
      body: { action: 'give_up_and_refund', reason: 'La familia ya no necesita el dinero; lo pidió por teléfono.' },
    });

  await sandbox.bank({ rejectNext: 1 });
  const rejected = await approved('payout_failed', '120.00');
  await sandbox.bank({ rejectNext: 1 });
  const uncleared = await approved('payout_failed', '130.00');
  const listed = await addRecipient(sender, { name: 'Lidia Aranibar Quiroz', bankAccount: '4000112233' });
  await sender.client.call(endpoints.correctAccount, { params: { id: uncleared }, body: { recipientId: listed } });
  const returned = await approved('completed', '85.50');
  await sandbox.returnPayout((await payoutOf(sandbox, returned)).externalId);
  const returnedInPart = await approved('completed', '140.00');
  await sandbox.returnPayout((await payoutOf(sandbox, returnedInPart)).externalId, '250.00');
  const operationRefused = await refused('210.00');
  const waiting = await refused('900.00');
  await giveUp(waiting.case.id);
  const unrefunded = await refused('75.00', 'refundFails');
  await giveUp(unrefunded.case.id);
  const outside = await approved('completed', '60.00');
  await refundInDashboard(demo, await intentOf(sender, outside), 2_000);
  const disputed = await approved('completed', '310.00', 'disputed');
  const inquiry = await approved('completed', '95.00', 'inquiry');
  const several = await approved('completed', '200.00', 'severalDisputes');
  const lost = await approved('completed', '50.00', 'disputed');
  const wanted = [
    ['payout_rejected', rejected],
    ['payout_returned', returned],
    ['payout_returned_in_part', returnedInPart],
    ['operation_refused', operationRefused.id],
    ['names_not_cleared', uncleared],
    ['refund_failed', unrefunded.id],
    ['refund_outside', outside],
    ['dispute_opened', disputed],
    ['dispute_inquiry', inquiry],
  ] as const;
  await caseAbout(several, 'dispute_opened');
  const { disputes } = await caseAbout(lost, 'dispute_opened');
  await sandbox.decideDispute(disputes[0]?.id ?? '', 'lost');
  await caseAbout(lost, 'dispute_lost');
  for (const [reason, id] of wanted) await caseAbout(id, reason);
  return { ...Object.fromEntries(wanted), dispute_lost: lost, waiting: waiting.id, several };
}

async function payoutOf(sandbox: ReturnType<typeof controlSandbox>, transferId: string) {
  const found = (await sandbox.payouts()).find(({ externalId }) => externalId.startsWith(transferId));
  if (!found) throw new Error('the bank has no such payout');
  return found;
}

async function intentOf({ client }: Account, id: string): Promise<string> {
  return (await client.call(endpoints.getTransfer, { params: { id } })).paymentIntentId ?? '';
}

/** A person returns a part of a charge in Stripe's own dashboard. */
async function refundInDashboard({ stripeUrl }: Demo, paymentIntent: string, amountMinor: number): Promise<void> {
  const answer = await fetch(`${stripeUrl}/v1/refunds`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk_test_sandbox' },
    body: new URLSearchParams({ payment_intent: paymentIntent, amount: String(amountMinor) }),
  });
  if (!answer.ok) throw new Error(`Stripe answered ${answer.status} ${await answer.text()}`);
}
