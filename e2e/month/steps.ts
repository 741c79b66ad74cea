import { expect } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import { requestJson } from '../../sandbox/testing/control-client.ts';
import { until } from '../until.ts';
import { act, caseOf } from './desk.ts';
import { addRecipient } from './people.ts';
import { approve, payForReview, rest } from './sending.ts';
import {
  noteCharge,
  noteDispute,
  noteDisputeAnswer,
  noteLoss,
  notePayout,
  noteUnwinding,
  type Sent,
  type World,
} from './world.ts';

/** Approved, charged and paid out. */
export async function complete(world: World, sent: Sent): Promise<void> {
  await approve(world, sent);
  noteCharge(world, sent);
  expect(await rest(world, sent)).toBe('completed');
  notePayout(world, sent);
  sent.expected = 'completed';
}

export async function plain(world: World, sent: Sent): Promise<void> {
  await payForReview(world, sent);
  await complete(world, sent);
}

/** Defers an approval to the end of the session, when the bank rejects its payout. */
export async function refuse(
  world: World,
  sent: Sent,
  { about, card, after = async () => {} }: { about: 'account' | 'other'; card?: string; after?: () => Promise<void> },
): Promise<void> {
  await payForReview(world, sent, card);
  world.refusals.push({ sent, about, after });
}

/** The sender names another person, an admin approves, and the bank pays. */
export async function correct(world: World, sent: Sent): Promise<void> {
  const { person } = sent.sender;
  const recipientId = await addRecipient(person, 1_000_000 + sent.index);
  await person.call(endpoints.correctAccount, { params: { id: sent.id }, body: { recipientId } });
  const { id } = await caseOf(world, sent, 'recipient_changed');
  await act(world, sent, { id, action: 'release_hold' });
  await world.watch.wait(sent.id, 'it is paid', ({ open, state }) => open === 0 && state === 'completed');
  notePayout(world, sent);
  sent.expected = 'completed';
}

/** The sender wants the money back. */
export async function takeBack(world: World, sent: Sent): Promise<void> {
  await sent.sender.person.call(endpoints.cancelTransfer, { params: { id: sent.id } });
  await goesBack(world, sent);
}

export async function goesBack(world: World, sent: Sent): Promise<void> {
  expect(await rest(world, sent)).toBe('refunded');
  noteUnwinding(world, sent);
  sent.expected = 'refunded';
}

/** The bank gives the whole payment back. */
export async function returnAll(world: World, sent: Sent): Promise<void> {
  await world.app.sandbox.returnPayout(sent.id);
  await world.watch.wait(sent.id, 'its payment came back', ({ state }) => state === 'payout_failed');
  notePayout(world, sent, 'returned');
}

/** The holder of the card disputes the charge: all of it. */
export async function dispute(world: World, sent: Sent): Promise<void> {
  const path = `/sandbox/stripe/payment_intents/${sent.intentId}/dispute`;
  await requestJson(world.app.stack.sandboxUrl, 'POST', path, {});
  noteDispute(world, sent);
  await caseOf(world, sent, 'dispute_opened', ({ disputes }) => disputes.length > 0);
}

/**
 * An admin answers the open disputes one after another; the card's bank decides by the text, as in Stripe's test mode.
 */
export async function answerDisputes(world: World, sent: Sent, way: 'won' | 'lost'): Promise<void> {
  const { admins } = world;
  const opened = await caseOf(world, sent, 'dispute_opened', ({ disputes }) => disputes.length > 0);
  for (const { id } of opened.disputes) {
    const body = { text: way === 'won' ? 'winning_evidence' : 'losing_evidence' };
    await admins[0].call(endpoints.respondToDispute, { params: { id }, body });
    await until(`the dispute ${id} is ${way}`, async () => {
      const { case: now } = await admins[0].call(endpoints.deskCase, { params: { id: opened.id } });
      return now.disputes.find((one) => one.id === id)?.status === way;
    });
    noteDisputeAnswer(world, sent, way);
  }
}

/** A dispute that is lost after the family was paid is our loss; before, it returned the money. */
export async function lose(world: World, sent: Sent): Promise<void> {
  const wasPaid = sent.expected === 'completed';
  await answerDisputes(world, sent, 'lost');
  const { id } = await caseOf(world, sent, 'dispute_lost');
  if (wasPaid) noteLoss(world, sent, sent.amount);
  else await goesBack(world, sent);
  await act(world, sent, { id, action: 'resolve' });
}

export async function win(world: World, sent: Sent): Promise<void> {
  const wasPaid = sent.expected === 'completed';
  await answerDisputes(world, sent, 'won');
  if (wasPaid) return;
  expect(await rest(world, sent)).toBe('completed');
  notePayout(world, sent);
  sent.expected = 'completed';
}

/** A card whose holder disputes the charge a moment later: the family may have been paid by then, or waits for the end of the dispute. */
export async function chargeAndBeDisputed(
  world: World,
  sent: Sent,
  { card, disputes }: { card: string; disputes: number },
) {
  await payForReview(world, sent, card);
  await approve(world, sent);
  noteCharge(world, sent);
  for (let count = 0; count < disputes; count += 1) noteDispute(world, sent);
  await caseOf(world, sent, 'dispute_opened', (one) => one.disputes.length === disputes);
  const { state } = await world.watch.wait(
    sent.id,
    'it is paid or waits for the dispute',
    ({ open, state }) => open === 0 && (state === 'completed' || state === 'captured'),
  );
  sent.expected = state;
  if (state === 'completed') notePayout(world, sent);
}
