import { expect } from 'vitest';
import { act, caseOf } from './desk.ts';
import { approve, rest } from './sending.ts';
import { noteCharge, noteUnwinding, type Refusal, type Sent, setBank, type World } from './world.ts';

/** Calls a function for every item, at most `width` at the same time. */
export async function inLanes<Item>(items: readonly Item[], width: number, act: (item: Item) => Promise<void>) {
  const left = [...items];
  const lane = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await act(item);
  };
  await Promise.all(Array.from({ length: width }, lane));
}

/** The bank's rejections: about an account, and with an unknown code. */
export const rejections = {
  account: { code: 'account_not_found', message: 'La cuenta de destino no existe.' },
  other: { code: 'limit_exceeded', message: 'El banco no puede pagar ese monto.' },
} as const;

/**
 * Approves all that the bank is to refuse: rejected accounts wait for their senders; an unknown code needs an
 * admin, who refunds the charge.
 */
export async function approveRefused(world: World): Promise<void> {
  const waiting = world.refusals.splice(0);
  for (const about of ['account', 'other'] as const) {
    const those = waiting.filter((one) => one.about === about);
    if (those.length === 0) continue;
    await setBank(world, { rejectNext: those.length, rejection: rejections[about] });
    await inLanes(those, those.length, (one) => approveRefusedOne(world, one));
    await setBank(world);
    for (const { after } of those) await after();
  }
}

async function approveRefusedOne(world: World, { sent, about }: Refusal): Promise<void> {
  await approve(world, sent);
  noteCharge(world, sent);
  if (about === 'account') {
    expect(await rest(world, sent)).toBe('payout_failed');
    return;
  }
  await giveUp(world, sent);
  const isOverdue = sent.refundOverdueFrom !== undefined;
  await world.watch.wait(sent.id, 'its money goes back', ({ open, state }) =>
    isOverdue ? state === 'refunding' : ['refunding', 'refunded'].includes(state) && open === 0,
  );
  noteUnwinding(world, sent);
  sent.expected = isOverdue ? 'refunding' : 'refunded';
}

/** An admin returns the charge of a transfer whose payout the bank refused by an unknown code. */
export async function giveUp(world: World, sent: Sent): Promise<void> {
  const { id } = await caseOf(world, sent, 'payout_unexplained');
  await act(world, sent, { id, action: 'give_up_and_refund' });
}
