import type { StepEmail } from '#core/notifications/step-email';
import type { MoveName, TransferState } from '#core/transfers/states';
import type { EntityManager } from '#platform/database/database';
import type { Transfer, TransferChanges } from './transfer.repository.ts';

/** A line of a transfer's history: a move to another state, or a change within one. */
export interface TransferStep {
  readonly name: string;
  /** The move, when the step is one. */
  readonly move: MoveName | null;
  /** The state that a move leads to; null: the step leaves the state as it is. */
  readonly to: TransferState | null;
  /** The transfer before and after it. */
  readonly before: Transfer;
  readonly transfer: Transfer;
  /** What it wrote besides state and version. */
  readonly columns: TransferChanges;
  /** Who made it, when a person did. */
  readonly actorId: string | null;
  readonly at: Date;
  /** What tells its sender by e-mail; none unless given. */
  readonly email?: StepEmail | undefined;
  /** What is still owed to the sender of a charge that goes back, in minor units. */
  readonly owedMinor?: bigint | undefined;
}

/** Does what follows from a step, in its transaction. @throws whatever keeps the step from being made. */
export type StepSubscriber = (em: EntityManager, step: TransferStep) => Promise<void>;

let subscribers: readonly StepSubscriber[] | undefined;

/** Declares what follows from steps, in this order (domain/step-subscribers.ts). */
export function subscribeToSteps(all: readonly StepSubscriber[]): void {
  subscribers = all;
}

/** Calls every subscriber, one after the other. @throws when none were declared: a step without its consequences loses money. */
export async function tellSubscribers(em: EntityManager, step: TransferStep): Promise<void> {
  if (!subscribers) throw new Error('nobody declared what follows from the steps of a transfer');
  for (const subscriber of subscribers) await subscriber(em, step);
}
