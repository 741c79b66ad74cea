import type { SendCurrency } from '#core/money/money';
import type { Rate } from '#core/rates/rate';
import type { EntityManager } from '#platform/database/database';
import { addJob, addPush } from '#platform/outbox/outbox';
import { addRate, newestRate } from './rate.repository.ts';
import { insertRateChange } from './rate-change.repository.ts';

interface NewRate {
  readonly currency: SendCurrency;
  readonly rate: Rate;
  readonly setById: string;
  readonly at: Date;
}

/**
 * Puts a rate in force from `at` on and notifies all subscribers, in the transaction of `em`. An admin's change goes
 * through rate-changes.ts and provides its id. Without one (an installation's first rates) a change without guard-rails
 * is recorded, so that the history is complete either way.
 */
export async function setRate(em: EntityManager, input: NewRate & { readonly changeId?: bigint }): Promise<void> {
  const { currency, rate, setById, at } = input;
  const changeId = input.changeId ?? (await recordUnguardedChange(em, input));
  addRate(em, { currency, rate, setById, createdAt: at, changeId });
  addPush(em, 'rate-changed', {});
  addJob(em, 'fire-rate-alerts', {});
  addJob(em, 'watch-rates', {});
  await em.flush();
}

async function recordUnguardedChange(em: EntityManager, { currency, rate, setById, at }: NewRate): Promise<bigint> {
  const previousRate = (await newestRate(em, currency))?.rate ?? null;
  const { id } = await insertRateChange(em, {
    currency,
    rate,
    previousRate,
    state: 'activated',
    proposedById: setById,
    proposedAt: at,
    guardRails: [],
    activatedAt: at,
  });
  return id;
}
