import type { StepEmail } from '#core/notifications/step-email';
import type { MoveName, TransferState } from '#core/transfers/states';
import type { EntityManager } from '#platform/database/database';
import type { Transfer, TransferChanges } from './transfer.repository.ts';

/** A line of a transfer's history: a move to another state, or a change within one. */
export interface TransferStep {
  readonly name: string;
  /** The move, if the step is one. */
  readonly move: MoveName | null;
  /** The state that a move leads to; null: the step does not change the state. */
  readonly to: TransferState | null;
  /** The transfer before and after it. */
  readonly before: Transfer;
  readonly transfer: Transfer;
  /** Columns written besides state and version. */
  readonly columns: TransferChanges;
  /** The actor, if it was a person. */
  readonly actorId: string | null;
  readonly at: Date;
  /** The e-mail to its sender; none by default. */
  readonly email?: StepEmail | undefined;
  /** The amount still owed to the sender of a refunded charge, in minor units. */
  readonly owedMinor?: bigint | undefined;
}

/** Handles a step, in its transaction. @throws to roll the step back. */
export type StepSubscriber = (em: EntityManager, step: TransferStep) => Promise<void>;

let subscribers: readonly StepSubscriber[] | undefined;

/** Registers the subscribers of steps, called in this order (domain/step-subscribers.ts). */
export function subscribeToSteps(all: readonly StepSubscriber[]): void {
  subscribers = all;
}

/** Calls every subscriber in order. @throws when none are registered: a step without its consequences loses money. */
export async function tellSubscribers(em: EntityManager, step: TransferStep): Promise<void> {
  if (!subscribers) throw new Error('no subscribers are registered for the steps of transfers');
  for (const subscriber of subscribers) await subscriber(em, step);
}
