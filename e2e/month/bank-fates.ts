import { expect } from 'vitest';
import { toText } from './books.ts';
import { act, caseOf, proof } from './desk.ts';
import { type Fate, onceAccountRefused, oncePaid } from './fate.ts';
import { cards, payForReview, rest } from './sending.ts';
import { correct, goesBack, refuse, returnAll, takeBack } from './steps.ts';
import { bolivianosIn, later, type Sent, type World } from './world.ts';

const correctNextSession = async (world: World, sent: Sent) => later(world, 1, () => correct(world, sent));

/** Fates of transfers whose payout the bank refuses or returns. */
export const bankFates = {
  account_corrected: { weight: 30, sessions: 1, run: onceAccountRefused(1, correct) },
  account_refused_money_back: { weight: 14, sessions: 1, run: onceAccountRefused(1, takeBack) },
  account_never_corrected: {
    weight: 8,
    sessions: 17,
    run: (world, sent) =>
      refuse(world, sent, {
        about: 'account',
        after: async () => {
          const failedAt = world.clock.now().getTime();
          const goBack = async (): Promise<void> => {
            if (world.clock.now().getTime() < failedAt + 7 * 86_400_000) return later(world, 1, goBack);
            await goesBack(world, sent);
          };
          later(world, 13, goBack);
        },
      }),
  },
  given_up_by_the_desk: {
    weight: 10,
    sessions: 1,
    run: onceAccountRefused(1, async (world, sent) => {
      const { id } = await caseOf(world, sent, 'payout_rejected');
      await act(world, sent, { id, action: 'give_up_and_refund' });
      await goesBack(world, sent);
    }),
  },
  refused_otherwise: { weight: 20, sessions: 0, run: (world, sent) => refuse(world, sent, { about: 'other' }) },
  refunded_late: {
    weight: 10,
    sessions: 0,
    run: (world, sent) => refuse(world, sent, { about: 'other', card: cards.lateRefund }),
  },
  refund_fails: {
    weight: 6,
    sessions: 1,
    run: async (world, sent) => {
      await payForReview(world, sent, cards.failingRefund);
      // The refund succeeds and comes back a moment later.
      world.refusals.push({
        sent,
        about: 'other',
        after: async () => {
          sent.expected = 'refunding';
          later(world, 1, async () => {
            const { id, owed } = await caseOf(world, sent, 'refund_failed');
            expect(owed).toBe(toText(sent.amount));
            const settled = { bank_reference: `SEPA-${sent.index}`, amount: owed, proof };
            await act(world, sent, { id, action: 'refund_by_hand', settled });
            sent.byHand = true;
            expect(await rest(world, sent)).toBe('refunded');
            sent.expected = 'refunded';
          });
        },
      });
    },
  },
  returned_corrected: {
    weight: 25,
    sessions: 6,
    run: oncePaid(
      ({ index }) => 2 + (index % 4),
      async (world, sent) => {
        await returnAll(world, sent);
        await correctNextSession(world, sent);
      },
    ),
  },
  returned_money_back: {
    weight: 10,
    sessions: 4,
    run: oncePaid(3, async (world, sent) => {
      await returnAll(world, sent);
      later(world, 1, () => takeBack(world, sent));
    }),
  },
  returned_in_part: {
    weight: 18,
    sessions: 4,
    run: oncePaid(3, async (world, sent) => {
      const part = bolivianosIn(sent) / 3n;
      await world.app.sandbox.returnPayout(sent.id, toText(part));
      await world.watch.wait(sent.id, 'its return is taken', ({ returned }) => returned.includes(sent.id));
      const { id } = await caseOf(world, sent, 'payout_returned_in_part');
      later(world, 1, () => act(world, sent, { id, action: 'pay_rest' }));
    }),
  },
} as const satisfies Record<string, Fate>;
