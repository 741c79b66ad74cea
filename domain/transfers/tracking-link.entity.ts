import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** The link by which a family follows a transfer. */
export const TrackingLink = defineEntity({
  name: 'TrackingLink',
  tableName: 'tracking_link',
  properties: {
    transferId: p.uuid().primary(),
    /** 40 hexadecimal digits; its sender sees the link again and again, so it is kept as it is. */
    token: p.text().unique(),
    createdAt: p.datetime(),
  },
});
export type TrackingLink = InferEntity<typeof TrackingLink>;
