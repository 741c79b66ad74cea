import type { SendCurrency } from './books.ts';
import { plain, refuse } from './steps.ts';
import { later, type Sent, type World } from './world.ts';

/** The course of an opened transfer. */
export interface Fate {
  /** How often, of a thousand. */
  readonly weight: number;
  /** How many sessions it takes until the end. */
  readonly sessions: number;
  /** The currency it takes; by default either. */
  readonly currency?: SendCurrency;
  readonly run: (world: World, sent: Sent) => Promise<void>;
}

type Act = (world: World, sent: Sent) => Promise<void>;

/** One act, and another after `sessions` sessions. */
export function afterwards(first: Act, sessions: number | ((sent: Sent) => number), next: Act): Act {
  return async (world, sent) => {
    await first(world, sent);
    later(world, typeof sessions === 'number' ? sessions : sessions(sent), () => next(world, sent));
  };
}

/** The family is paid, and `next` happens after `sessions` sessions. */
export const oncePaid = (sessions: number | ((sent: Sent) => number), next: Act): Act =>
  afterwards(plain, sessions, next);

/** The bank does not know the account, and `next` happens after `sessions` sessions. */
export const onceAccountRefused =
  (sessions: number, next: Act): Act =>
  (world, sent) =>
    refuse(world, sent, {
      about: 'account',
      after: async () => later(world, sessions, () => next(world, sent)),
    });
