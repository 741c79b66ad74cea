import { endpoints } from '#core/contracts/http/endpoints';
import { formatMinor } from '#core/money/money';
import { sampleRecipient } from '../api-client.ts';
import * as admins from './admin-steps.ts';
import { type Command, spans } from './commands.ts';
import { minorOf, newAccount, type TransferRun } from './transfer-run.ts';

/** Commands without an answer that always have an effect. Planning a failure has none yet. */
const isOfNobody: ReadonlySet<Command['do']> = new Set(['heal', 'refundsSucceed', 'webhooks', 'pass', 'restartWorker']);

/** Performs a command. One that is impossible now changes nothing. Returns whether it had a recipient. */
export async function perform(run: TransferRun, command: Command): Promise<boolean> {
  run.answered = null;
  await carryOut(run, command);
  return run.answered !== null || isOfNobody.has(command.do);
}

async function carryOut(run: TransferRun, command: Command): Promise<void> {
  const { world, sender } = run;
  const params = { id: run.id };
  switch (command.do) {
    case 'approve':
      return admins.approve(run, world[command.by]);
    case 'reject':
      return run.note(await world[command.by].ask(endpoints.reject, { params, body: {} }));
    case 'cancel':
      return run.note(await sender.ask(endpoints.cancelTransfer, { params }));
    case 'correct':
      return correct(run, command.to);
    case 'report':
      return report(run, command.wants);
    case 'conclude':
      return admins.conclude(run, world[command.by], command);
    case 'agree':
      return admins.agree(run, world[command.by], command.yes);
    case 'act':
      return admins.act(run, world[command.by], command.action);
    case 'decide':
      return admins.decide(run, world[command.by], command.yes);
    case 'payByHand':
      return admins.payByHand(run);
    case 'reportPayment':
      return admins.endReservation(run, world[command.by], 'report');
    case 'dropReservation':
      return admins.endReservation(run, world[command.by], 'drop');
    case 'stop':
      return admins.stop(run, world[command.by], command.scope);
    case 'lift':
      return admins.lift(run, world[command.by]);
    case 'role':
      return admins.setRole(run, world[command.of], command.role);
    case 'block':
      return admins.block(run, command.who === 'sender' ? sender : world[command.who], command.blocked);
    case 'fail':
      return world.providers.fail(command.call, command.fault, command.times);
    case 'heal':
      return world.providers.heal();
    case 'bankReturns':
      return returnPayout(run, command.all);
    case 'dispute':
      return dispute(run, command);
    case 'decideDispute':
      return decideDispute(run, command.decision);
    case 'dashboardRefund':
      return refundInDashboard(run, command);
    case 'refundsSucceed':
      return world.sandbox.keepRefundsPending(run.intentId, false);
    case 'webhooks':
      return world.deliverWebhooks(command.mode);
    case 'pass':
      return world.pass(spans[command.time]);
    case 'restartWorker':
      return world.restartWorker();
  }
}

async function correct(run: TransferRun, to: 'same' | 'other'): Promise<void> {
  const other = { ...sampleRecipient, name: 'Zenón Apaza', bankAccount: newAccount(), ci: '7654321' };
  const body = { ...other, saveAnyway: true };
  const created = to === 'other' ? await run.sender.ask(endpoints.createRecipient, { body }) : null;
  if (created && !created.ok) return run.note(created);
  const recipientId = created ? created.body.id : run.recipientId;
  run.note(await run.sender.ask(endpoints.correctAccount, { params: { id: run.id }, body: { recipientId } }));
}

async function report(run: TransferRun, wants: 'delivery' | 'refund'): Promise<void> {
  const body = { reason: 'wrong_amount', wants, description: 'No llegó lo que se dijo.' } as const;
  run.note(await run.sender.ask(endpoints.reportComplaint, { params: { id: run.id }, body }));
  run.hasOpenReport ||= run.answered === 'ok';
}

async function returnPayout(run: TransferRun, all: boolean): Promise<void> {
  const { id, world } = run;
  const paid = (await world.sandbox.payouts()).find(
    (one) => one.externalId.startsWith(id) && one.status === 'paid' && one.returnedAmount !== one.amount,
  );
  if (!paid) return;
  const left = minorOf(paid.amount) - minorOf(paid.returnedAmount);
  await world.sandbox.returnPayout(paid.externalId, formatMinor(all || left < 2n ? left : left / 2n));
  run.answered = 'ok';
}

/** What of the charge was not refunded, in cents. */
async function leftOf({ world, intentId }: TransferRun): Promise<number> {
  const { amountReceived, amountRefunded } = await world.sandbox.intent(intentId);
  return amountReceived - amountRefunded;
}

async function dispute(
  run: TransferRun,
  { all, inquiry, prevented = false }: Extract<Command, { do: 'dispute' }>,
): Promise<void> {
  const { world, intentId } = run;
  const left = await leftOf(run);
  if (left < 2) return;
  const kind = prevented ? ({ prevented: 'resolution' } as const) : { inquiry };
  const body = { ...kind, ...(all ? {} : { amount: Math.floor(left / 2) }) };
  const opened = await world.control('POST', `/stripe/payment_intents/${intentId}/dispute`, body);
  run.answered = opened ? 'ok' : 'refused';
}

async function decideDispute(run: TransferRun, decision: 'won' | 'lost' | 'escalated'): Promise<void> {
  const open = (await run.world.sandbox.disputes()).find(
    ({ payment_intent, status }) => payment_intent === run.intentId && /response|review/.test(status),
  );
  if (!open) return;
  await run.world.control('POST', `/stripe/disputes/${open.id}/decide`, { decision });
  run.answered = 'ok';
}

async function refundInDashboard(
  run: TransferRun,
  { all, pending }: Extract<Command, { do: 'dashboardRefund' }>,
): Promise<void> {
  const { world, intentId } = run;
  const left = await leftOf(run);
  if (left < 2) return;
  await world.sandbox.keepRefundsPending(intentId, pending);
  const body = { payment_intent: intentId, amount: String(all ? left : left - 1) };
  run.answered = await world.stripe('/v1/refunds', body).then(
    () => 'ok',
    () => 'refused',
  );
}
