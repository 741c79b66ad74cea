import { z } from 'zod';
import { adminTransferView } from './http/admin.ts';
import { rateChangeView } from './http/admin-rates.ts';
import { adminComplaintView, complaintView } from './http/complaints.ts';
import { cryptoOrderView } from './http/crypto.ts';
import { deskCaseView } from './http/operations.ts';
import { rateAlertView } from './http/rate-alerts.ts';
import { rateBoard } from './http/rates.ts';
import { recipientView } from './http/recipients.ts';
import { reviewView } from './http/review.ts';
import { transferView } from './http/transfers.ts';
import { timestamp } from './http/values.ts';
import type { LiveEventName } from './live-events.ts';

/**
 * Every event pushed to browsers, with its payload: the changed thing's whole view with its version, which a browser writes
 * into its cache if newer. A push may come twice, late or never; after a (re)connect browsers load everything again.
 */
export const liveEvents = {
  /** Room `user:<sender>`: one of the sender's transfers changed. */
  'transfer:changed': transferView,
  /** Room `user:<buyer>`: one of the person's crypto orders changed. */
  'crypto-order:changed': cryptoOrderView,
  /** Room `admins`: any transfer changed or appeared. */
  'admin:transfer-changed': adminTransferView,
  /** Room `admins`: something on the operations desk appeared or changed. Its `actions` are those of an admin who is not the sender. */
  'admin:case-changed': deskCaseView,
  /** Room `user:<sender>`: a problem they reported moved on. */
  'complaint:changed': complaintView,
  /** Room `admins`: a sender reported a problem, or what is done about it changed. What can be done is that of an admin who is not the sender. */
  'admin:complaint-changed': adminComplaintView,
  /** Room `admins`: what helps to decide about a transfer changed. */
  'admin:review-changed': reviewView,
  /** Room `admins`: a change of a rate was requested or decided; browsers load the rates page again. */
  'admin:rate-change-updated': z.object({ change: rateChangeView }),
  /** Room `admins`: exceptions, days or what waits for a second person changed; browsers load reconciliation again. */
  'admin:books-changed': z.object({ at: timestamp }),
  /** Room `admins`: a money stop was set or lifted, or its lift requested; browsers load the active ones again. */
  'admin:money-stops-changed': z.object({ at: timestamp }),
  /** Room `admins`: a queue was paused or resumed; browsers load the paused ones again. */
  'admin:queue-pauses-changed': z.object({ at: timestamp }),
  /** Room `everyone`: a rate changed. */
  'rate:changed': rateBoard,
  /** Room `everyone`: prices and reference rates were collected; browsers load comparisons again. */
  'rates:collected': z.object({ collectedAt: timestamp }),
  /** Room `user:<person>`: news up to a moment were read, perhaps in another browser; browsers load them again. */
  'news:read': z.object({ until: timestamp }),
  /** Room `user:<sender>`: what the bank says of one of their recipients changed. Their numbers are not pushed: a push passes through Redis or a table. */
  'recipient:changed': recipientView.pick({ id: true, version: true, nameCheck: true }),
  /** Room `user:<sender>`: the rate they waited for was reached. */
  'rate-alert:fired': rateAlertView,
  /** Room `user:<sender>`: transfers that they repeat changed, or a reminder came; browsers load them and the news again. */
  'repeats:changed': z.object({ at: timestamp }),
} as const satisfies Record<LiveEventName, z.ZodType>;

export type LivePayload<Name extends LiveEventName> = z.infer<(typeof liveEvents)[Name]>;

/** The last request that led to something, and its trace: their ids, where there are such. */
export interface Cause {
  readonly requestId?: string | undefined;
  readonly traceId?: string | undefined;
}

/** Socket.IO's type of the server-to-browser events. Each carries what led to it, where a request did. */
export type ServerToBrowser = { [Name in LiveEventName]: (payload: LivePayload<Name>, cause?: Cause) => void };

/** What an outbox row of a push says: which thing changed; the payload is read when it is sent. */
export const pushes = {
  'transfer-changed': z.object({ transferId: z.uuid() }),
  'case-changed': z.object({ caseId: z.uuid() }),
  'complaint-changed': z.object({ complaintId: z.uuid() }),
  'crypto-order-changed': z.object({ orderId: z.uuid() }),
  'recipient-changed': z.object({ recipientId: z.uuid() }),
  'review-changed': z.object({ transferId: z.uuid() }),
  'books-changed': z.object({}),
  'money-stops-changed': z.object({}),
  'queue-pauses-changed': z.object({}),
  'rate-changed': z.object({}),
  'rate-change-updated': z.object({ changeId: z.string() }),
  'rates-collected': z.object({ runId: z.uuid() }),
  'rate-alert-fired': z.object({ alertId: z.uuid() }),
  'repeats-changed': z.object({ userId: z.uuid() }),
  'news-read': z.object({ userId: z.uuid() }),
} as const;
export type PushName = keyof typeof pushes;
