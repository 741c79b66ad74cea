import { expect } from 'vitest';
import { toText } from './books.ts';
import {
  answer,
  conclude,
  giveBack,
  hold,
  type Problem,
  payAgain,
  report,
  returnSecond,
  untilClosed,
  watchDeadline,
} from './complaints.ts';
import type { Fate } from './fate.ts';
import { addRecipient } from './people.ts';
import { cards, payForReview } from './sending.ts';
import { complete, goesBack, plain, refuse } from './steps.ts';
import { bolivianosIn, feeIn, inDaylight, later, netOf, type Reported, type Sent, type World } from './world.ts';

/** The family is paid, and the sender reports a problem after `sessions` sessions. */
const reported =
  (sessions: number, problem: Problem, next: (world: World, reported: Reported) => void): Fate['run'] =>
  async (world, sent) => {
    await plain(world, sent);
    reportLater(world, sent, { sessions, problem, next });
  };

function reportLater(
  world: World,
  sent: Sent,
  input: { sessions: number; problem: Problem; next: (world: World, reported: Reported) => void | Promise<void> },
): void {
  const { sessions, problem, next } = input;
  inDaylight(world, sessions, async () => next(world, await report(world, sent, problem)));
}

/** Fates of transfers whose senders report a problem. */
export const complaintFates = {
  error_corrected: {
    weight: 12,
    sessions: 5,
    run: reported(2, { reason: 'wrong_amount', wants: 'refund' }, (world, one) =>
      inDaylight(world, 1, () => giveBack(world, one, netOf(one.sent) / 5n)),
    ),
  },
  fee_returned: {
    weight: 8,
    sessions: 5,
    run: reported(2, { reason: 'late', wants: 'refund' }, (world, one) =>
      inDaylight(world, 1, () => giveBack(world, one, feeIn(one.sent), true)),
    ),
  },
  no_error_found: {
    weight: 8,
    sessions: 6,
    run: reported(1, { reason: 'not_received', wants: 'delivery' }, (world, one) =>
      later(world, 3, () => answer(world, one, 'no_error')),
    ),
  },
  information_given: {
    weight: 6,
    sessions: 4,
    run: reported(1, { reason: 'information', wants: 'explanation' }, (world, one) =>
      later(world, 1, () => answer(world, one, 'answered')),
    ),
  },
  never_delivered_reported: {
    weight: 4,
    sessions: 4,
    run: (world, sent) =>
      refuse(world, sent, {
        about: 'account',
        after: async () =>
          reportLater(world, sent, {
            ...{ sessions: 1, problem: { reason: 'not_received', wants: 'refund' } },
            next: async (_, one) => {
              await conclude(world, one, { finding: 'error', remedy: 'refund', amount: toText(sent.amount) });
              await goesBack(world, sent);
              await untilClosed(world, one);
            },
          }),
      }),
  },
  paid_again_in_part: {
    weight: 8,
    sessions: 5,
    run: reported(2, { reason: 'wrong_amount', wants: 'delivery' }, (world, one) =>
      inDaylight(world, 1, () => payAgain(world, one, { minor: bolivianosIn(one.sent) / 4n })),
    ),
  },
  paid_again_elsewhere: {
    weight: 6,
    sessions: 5,
    run: reported(2, { reason: 'not_received', wants: 'delivery' }, (world, one) =>
      inDaylight(world, 1, async () => {
        const to = await addRecipient(one.sent.sender.person, 2_000_000 + one.sent.index);
        await payAgain(world, one, { minor: bolivianosIn(one.sent), to });
      }),
    ),
  },
  paid_again_after_return: {
    weight: 5,
    sessions: 9,
    run: reported(1, { reason: 'not_received', wants: 'delivery' }, (world, one) => {
      const minor = bolivianosIn(one.sent);
      inDaylight(world, 1, async () => {
        await payAgain(world, one, { minor });
        inDaylight(world, 2, async () => {
          await returnSecond(world, one, minor);
          inDaylight(world, 1, () => payAgain(world, one, { minor: minor / 2n, feeReturned: true }));
        });
      });
    }),
  },
  american_unanswered: {
    weight: 0,
    sessions: 48,
    currency: 'USD',
    run: reported(1, { reason: 'wrong_amount', wants: 'refund' }, (world, one) => {
      world.unanswered.push(one);
    }),
  },
  european_answered_late: {
    weight: 4,
    sessions: 48,
    currency: 'EUR',
    run: async (world, sent) => {
      await payForReview(world, sent, cards.european);
      await complete(world, sent);
      reportLater(world, sent, {
        ...{ sessions: 1, problem: { reason: 'late', wants: 'explanation' } },
        next: (_, one) => {
          expect(one.regime).toBe('psd2');
          if (sent.index % 2 === 1) return watchDeadline(world, one);
          later(world, 4, () => hold(world, one));
          later(world, 40, () => answer(world, one, 'no_error'));
        },
      });
    },
  },
} as const satisfies Record<string, Fate>;
