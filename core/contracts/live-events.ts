/** The Socket.IO room that receives an event: one sender's browsers, every admin's, or everyone's; `support` hears as admins do, with personal data masked. */
export type Room = `user:${string}` | 'admins' | 'support' | 'everyone';

/** Names of all events pushed to browsers, without the schemas of their payloads (live.ts), which a page need not load. */
export const liveEventNames = [
  'transfer:changed',
  'crypto-order:changed',
  'admin:transfer-changed',
  'admin:case-changed',
  'complaint:changed',
  'admin:complaint-changed',
  'admin:review-changed',
  'admin:rate-change-updated',
  'admin:books-changed',
  'admin:money-stops-changed',
  'admin:queue-pauses-changed',
  'rate:changed',
  'rates:collected',
  'recipient:changed',
  'rate-alert:fired',
  'repeats:changed',
  'news:read',
] as const;
export type LiveEventName = (typeof liveEventNames)[number];
