import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { holdReasonNames } from '#core/holds/holds';

/** A hold that two people overruled, accepting that a loss would be ours. Never changed. */
export const HoldRelease = defineEntity({
  name: 'HoldRelease',
  tableName: 'hold_release',
  properties: {
    transferId: p.uuid().primary(),
    reason: p.enum(holdReasonNames).primary(),
    /** Tells holds with one reason apart (`Hold` in core/holds). */
    subject: p.text().primary(),
    /** The request that a second person approved. */
    requestId: p.uuid(),
    at: p.datetime(),
  },
});
export type HoldRelease = InferEntity<typeof HoldRelease>;
