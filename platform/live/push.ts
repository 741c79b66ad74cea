import type { Cause, LivePayload } from '#core/contracts/live';
import type { LiveEventName, Room } from '#core/contracts/live-events';
import type { EntityManager } from '../database/database.ts';
import type { OutboxRow } from '../outbox/outbox.entity.ts';

/** Sends one typed event to a room, wherever its browsers are connected; `cause`: the request that led to it, which goes with it. */
export type Emit = <Name extends LiveEventName>(
  room: Room,
  event: Name,
  payload: LivePayload<Name>,
  cause?: Cause,
) => void;

/** Carries out the push rows of one outbox batch. */
export type Push = (em: EntityManager, rows: readonly OutboxRow[]) => Promise<void>;
