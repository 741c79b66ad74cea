import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** The link by which a recipient tracks a transfer. */
export const TrackingLink = defineEntity({
  name: 'TrackingLink',
  tableName: 'tracking_link',
  properties: {
    transferId: p.uuid().primary(),
    /** 40 hexadecimal digits; stored in full, because the sender can see the link at any time. */
    token: p.text().unique(),
    createdAt: p.datetime(),
  },
});
export type TrackingLink = InferEntity<typeof TrackingLink>;
