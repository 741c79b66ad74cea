import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { holdReasonNames } from '#core/holds/holds';

/** A hold overruled by two people, who accept that a loss is ours. Immutable. */
export const HoldRelease = defineEntity({
  name: 'HoldRelease',
  tableName: 'hold_release',
  properties: {
    transferId: p.uuid().primary(),
    reason: p.enum(holdReasonNames).primary(),
    /** Distinguishes holds with the same reason (`Hold` in core/holds). */
    subject: p.text().primary(),
    /** The request that a second person approved. */
    requestId: p.uuid(),
    at: p.datetime(),
  },
});
export type HoldRelease = InferEntity<typeof HoldRelease>;
