import { expect } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import { rejectionCodes } from '#core/review/rejection';
import { pick } from '../../infra/testing/soak.ts';
import { afterwards, type Fate } from './fate.ts';
import { badCards, pay, payForReview } from './sending.ts';
import { complete, plain } from './steps.ts';

/** Fates of transfers up to an admin's decision. */
export const reviewFates = {
  plain: { weight: 560, sessions: 0, run: plain },
  decided_next_session: { weight: 80, sessions: 1, run: afterwards(payForReview, 1, complete) },
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
} as const satisfies Record<string, Fate>;
