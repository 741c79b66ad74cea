import { expect } from 'vitest';
import { pick } from '../../infra/testing/soak.ts';
import { until } from '../until.ts';
import { act, caseOf, findCase, resolveLater } from './desk.ts';
import { afterwards, type Fate, oncePaid } from './fate.ts';
import { cards, payForReview, refundInDashboard, rest } from './sending.ts';
import { chargeAndBeDisputed, complete, dispute, lose, win } from './steps.ts';
import { later, netOf, noteLoss, type Sent, type World } from './world.ts';

/** A full or partial refund in Stripe's dashboard, although the family was paid. */
const refundOutside = (part: (sent: Sent) => bigint) =>
  oncePaid(2, async (world, sent) => {
    await refundInDashboard(world, sent, part(sent));
    noteLoss(world, sent, part(sent));
    await resolveLater(world, sent, 'refund_outside');
  });

/** Charged to a card of a given kind and paid out, with a later event after `sessions` sessions. */
const paidBy = (card: string, sessions: number, next: (world: World, sent: Sent) => Promise<void>) =>
  afterwards(
    async (world, sent) => {
      await payForReview(world, sent, card);
      await complete(world, sent);
    },
    sessions,
    next,
  );

/** Fates of transfers whose card's bank, or a person in Stripe's dashboard, acts after the charge. */
export const cardFates = {
  refunded_in_part_outside: { weight: 18, sessions: 3, run: refundOutside((sent) => netOf(sent) / 4n) },
  refunded_outside: { weight: 8, sessions: 3, run: refundOutside(({ amount }) => amount) },
  disputed_and_won: { weight: 12, sessions: 8, run: oncePaid(4, afterwards(dispute, 4, win)) },
  disputed_and_lost: { weight: 12, sessions: 8, run: oncePaid(4, afterwards(dispute, 4, lose)) },
  disputed_at_once: {
    weight: 12,
    sessions: 5,
    run: async (world, sent) => {
      await chargeAndBeDisputed(world, sent, { card: pick(sent.random, cards.disputed), disputes: 1 });
      later(world, 5, () => (sent.index % 2 ? win(world, sent) : lose(world, sent)));
    },
  },
  disputed_twice: {
    weight: 5,
    sessions: 5,
    run: async (world, sent) => {
      await chargeAndBeDisputed(world, sent, { card: cards.disputedTwice, disputes: 2 });
      later(world, 5, () => win(world, sent));
    },
  },
  asked_about: {
    weight: 5,
    sessions: 3,
    run: paidBy(cards.inquiry, 3, async (world, sent) => {
      const { disputes } = await caseOf(world, sent, 'dispute_inquiry', (one) => one.disputes.length > 0);
      await world.app.sandbox.decideDispute(disputes[0]?.id ?? '', 'won');
    }),
  },
  warned_of_fraud: {
    weight: 8,
    sessions: 1,
    run: paidBy(cards.fraudWarning, 1, async (world, sent) => {
      const warned = 'select from transfer where id = $1 and fraud_warning is not null';
      await until('the warning is known', async () => (await world.watch.query(warned, [sent.id])).length > 0);
      // Without a case an admin saw the warning before approving.
      const id = await findCase(world, sent, 'fraud_warning');
      if (!id) return;
      if (sent.index % 2 === 1) return act(world, sent, { id, action: 'resolve' });
      await act(world, sent, { id, action: 'refund_at_loss' });
      expect(await rest(world, sent)).toBe('completed');
      noteLoss(world, sent, sent.amount);
    }),
  },
} as const satisfies Record<string, Fate>;
