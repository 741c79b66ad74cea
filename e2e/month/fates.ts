import { expect } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import { rejectionCodes } from '#core/review/rejection';
import { pick } from '../../infra/testing/soak.ts';
import { type SendCurrency, toText } from './books.ts';
import { answer, conclude, giveBack, hold, report, untilClosed, watchDeadline } from './complaints.ts';
import { act, caseOf, findCase, proof } from './desk.ts';
import { badCards, pay, payForReview, refundInDashboard, rest } from './sending.ts';
import {
  chargeAndBeDisputed,
  complete,
  correct,
  dispute,
  goesBack,
  inDaylight,
  lose,
  plain,
  refuse,
  returnAll,
  takeBack,
  win,
} from './steps.ts';
import { bolivianosIn, feeIn, later, netOf, noteLoss, type Sent, type World } from './world.ts';

/** What becomes of a transfer that was opened. */
export interface Fate {
  /** How often, of a thousand. */
  readonly weight: number;
  /** How many sessions it takes until the end. */
  readonly sessions: number;
  /** The currency it takes; by default either. */
  readonly currency?: SendCurrency;
  readonly run: (world: World, sent: Sent) => Promise<void>;
}

/** Cards by what they stand for after a charge. */
const cards = {
  disputed: ['4000000000000259', '4000000000002685'],
  disputedTwice: '4000000404000079',
  inquiry: '4000000000001976',
  fraudWarning: '4000000000005423',
  lateRefund: '4000000000007726',
  failingRefund: '4000000000005126',
  european: '4000002760003184',
} as const;

/** What becomes of transfers, with how often of a thousand and how many sessions it takes. */
export const fates = {
  plain: { weight: 560, sessions: 0, run: plain },
  decided_next_session: {
    weight: 80,
    sessions: 1,
    run: async (world, sent) => {
      await payForReview(world, sent);
      later(world, 1, () => complete(world, sent));
    },
  },
  rejected: {
    weight: 50,
    sessions: 0,
    run: async (world, sent) => {
      await payForReview(world, sent);
      const body = { code: pick(sent.random, rejectionCodes), note: 'Escríbenos si tienes preguntas.' };
      await world.admins[sent.index % 2 ? 1 : 0].call(endpoints.reject, { params: { id: sent.id }, body });
      sent.expected = 'rejected';
    },
  },
  withdrawn: {
    weight: 25,
    sessions: 0,
    run: async (world, sent) => {
      await payForReview(world, sent);
      await sent.sender.person.call(endpoints.cancelTransfer, { params: { id: sent.id } });
      sent.expected = 'cancelled';
    },
  },
  never_paid: { weight: 20, sessions: 1, run: async () => {} },
  declined: {
    weight: 30,
    sessions: 1,
    run: async (world, sent) => {
      expect(await pay(world, sent, pick(sent.random, badCards))).toBe(false);
    },
  },
  never_decided: { weight: 8, sessions: 16, run: payForReview },
  account_corrected: {
    weight: 30,
    sessions: 1,
    run: (world, sent) =>
      refuse(world, sent, { about: 'account', after: async () => later(world, 1, () => correct(world, sent)) }),
  },
  account_refused_money_back: {
    weight: 14,
    sessions: 1,
    run: (world, sent) =>
      refuse(world, sent, { about: 'account', after: async () => later(world, 1, () => takeBack(world, sent)) }),
  },
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
    run: (world, sent) =>
      refuse(world, sent, {
        about: 'account',
        after: async () =>
          later(world, 1, async () => {
            const { id } = await caseOf(world, sent, 'payout_rejected');
            await act(world, sent, { id, action: 'give_up_and_refund' });
            await goesBack(world, sent);
          }),
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
            const more = { bank_reference: `SEPA-${sent.index}`, amount: owed, proof };
            await act(world, sent, { id, action: 'refund_by_hand', ...more });
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
    run: async (world, sent) => {
      await plain(world, sent);
      later(world, 2 + (sent.index % 4), async () => {
        await returnAll(world, sent);
        later(world, 1, () => correct(world, sent));
      });
    },
  },
  returned_money_back: {
    weight: 10,
    sessions: 4,
    run: async (world, sent) => {
      await plain(world, sent);
      later(world, 3, async () => {
        await returnAll(world, sent);
        later(world, 1, () => takeBack(world, sent));
      });
    },
  },
  returned_in_part: {
    weight: 18,
    sessions: 4,
    run: async (world, sent) => {
      await plain(world, sent);
      later(world, 3, async () => {
        const part = bolivianosIn(sent) / 3n;
        await world.app.sandbox.returnPayout(sent.id, toText(part));
        await world.watch.wait(sent.id, 'its return is taken', ({ returned }) => returned.includes(sent.id));
        const { id } = await caseOf(world, sent, 'payout_returned_in_part');
        later(world, 1, () => act(world, sent, { id, action: 'resolve' }));
      });
    },
  },
  refunded_in_part_outside: {
    weight: 18,
    sessions: 3,
    run: async (world, sent) => {
      await plain(world, sent);
      later(world, 2, async () => {
        const part = netOf(sent) / 4n;
        await refundInDashboard(world, sent, part);
        noteLoss(world, sent, part);
        const { id } = await caseOf(world, sent, 'refund_outside');
        later(world, 1, () => act(world, sent, { id, action: 'resolve' }));
      });
    },
  },
  refunded_outside: {
    weight: 8,
    sessions: 3,
    run: async (world, sent) => {
      await plain(world, sent);
      later(world, 2, async () => {
        await refundInDashboard(world, sent);
        noteLoss(world, sent, sent.amount);
        const { id } = await caseOf(world, sent, 'refund_outside');
        later(world, 1, () => act(world, sent, { id, action: 'resolve' }));
      });
    },
  },
  disputed_and_won: {
    weight: 12,
    sessions: 8,
    run: async (world, sent) => {
      await plain(world, sent);
      later(world, 4, async () => {
        await dispute(world, sent);
        later(world, 4, () => win(world, sent));
      });
    },
  },
  disputed_and_lost: {
    weight: 12,
    sessions: 8,
    run: async (world, sent) => {
      await plain(world, sent);
      later(world, 4, async () => {
        await dispute(world, sent);
        later(world, 4, () => lose(world, sent));
      });
    },
  },
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
    run: async (world, sent) => {
      await payForReview(world, sent, cards.inquiry);
      await complete(world, sent);
      later(world, 3, async () => {
        const { disputes } = await caseOf(world, sent, 'dispute_inquiry', (one) => one.disputes.length > 0);
        await world.app.sandbox.decideDispute(disputes[0]?.id ?? '', 'won');
      });
    },
  },
  warned_of_fraud: {
    weight: 8,
    sessions: 1,
    run: async (world, sent) => {
      await payForReview(world, sent, cards.fraudWarning);
      await complete(world, sent);
      later(world, 1, async () => {
        // Without a case an admin saw the warning before approving.
        const id = await findCase(world, sent, 'fraud_warning');
        if (!id) return;
        if (sent.index % 2 === 1) return act(world, sent, { id, action: 'resolve' });
        await act(world, sent, { id, action: 'refund_at_loss' });
        expect(await rest(world, sent)).toBe('completed');
        noteLoss(world, sent, sent.amount);
      });
    },
  },
  error_corrected: {
    weight: 12,
    sessions: 5,
    run: async (world, sent) => {
      await plain(world, sent);
      inDaylight(world, 2, async () => {
        const reported = await report(world, sent, { reason: 'wrong_amount', wants: 'refund' });
        inDaylight(world, 1, () => giveBack(world, reported, netOf(sent) / 5n));
      });
    },
  },
  fee_returned: {
    weight: 8,
    sessions: 5,
    run: async (world, sent) => {
      await plain(world, sent);
      inDaylight(world, 2, async () => {
        const reported = await report(world, sent, { reason: 'late', wants: 'refund' });
        inDaylight(world, 1, () => giveBack(world, reported, feeIn(sent), true));
      });
    },
  },
  no_error_found: {
    weight: 8,
    sessions: 6,
    run: async (world, sent) => {
      await plain(world, sent);
      inDaylight(world, 1, async () => {
        const reported = await report(world, sent, { reason: 'not_received', wants: 'delivery' });
        later(world, 3, () => answer(world, reported, 'no_error'));
      });
    },
  },
  information_given: {
    weight: 6,
    sessions: 4,
    run: async (world, sent) => {
      await plain(world, sent);
      inDaylight(world, 1, async () => {
        const reported = await report(world, sent, { reason: 'information', wants: 'explanation' });
        later(world, 1, () => answer(world, reported, 'answered'));
      });
    },
  },
  never_delivered_reported: {
    weight: 4,
    sessions: 4,
    run: (world, sent) =>
      refuse(world, sent, {
        about: 'account',
        after: async () =>
          inDaylight(world, 1, async () => {
            const reported = await report(world, sent, { reason: 'not_received', wants: 'refund' });
            await conclude(world, reported, { finding: 'error', remedy: 'refund', amount: toText(sent.amount) });
            await goesBack(world, sent);
            await untilClosed(world, reported);
          }),
      }),
  },
  american_unanswered: {
    weight: 0,
    sessions: 48,
    currency: 'USD',
    run: async (world, sent) => {
      await plain(world, sent);
      inDaylight(world, 1, async () => {
        world.unanswered.push(await report(world, sent, { reason: 'wrong_amount', wants: 'refund' }));
      });
    },
  },
  european_answered_late: {
    weight: 4,
    sessions: 48,
    currency: 'EUR',
    run: async (world, sent) => {
      await payForReview(world, sent, cards.european);
      await complete(world, sent);
      inDaylight(world, 1, async () => {
        const reported = await report(world, sent, { reason: 'late', wants: 'explanation' });
        expect(reported.regime).toBe('psd2');
        if (sent.index % 2 === 1) return watchDeadline(world, reported);
        later(world, 4, () => hold(world, reported));
        later(world, 40, () => answer(world, reported, 'no_error'));
      });
    },
  },
} as const satisfies Record<string, Fate>;

export type FateName = keyof typeof fates;
