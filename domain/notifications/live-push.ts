import { isPermitted, maskPersonal } from '#core/accounts/roles';
import type { Cause, PushName } from '#core/contracts/live';
import type { EntityManager } from '#platform/database/database';
import type { Emit, Push } from '#platform/live/push';
import type { OutboxRow } from '#platform/outbox/outbox';
import { requestIdIn } from '#platform/request-id';
import { traceIdIn } from '#platform/telemetry/tracing';
import { toAdminComplaintViews, toComplaintViews } from '../complaint-handling/complaint-views.ts';
import { findComplaints } from '../complaints/complaint.repository.ts';
import { findCryptoOrders } from '../crypto/crypto-order.repository.ts';
import { toCryptoOrderView } from '../crypto/crypto-order-view.ts';
import { findCases } from '../desk/desk-case.repository.ts';
import { toDeskCaseViews } from '../desk-actions/desk-views.ts';
import { findLastFinishedRateRun } from '../rate-observations/rate-run.repository.ts';
import { currentRates } from '../rates/current-rates.ts';
import { findFiredAlerts } from '../rates/rate-alert.repository.ts';
import { findRateChanges } from '../rates/rate-change.repository.ts';
import { toRateAlertView, toRateBoard, toRateChangeViews } from '../rates/rate-views.ts';
import { findRecipientsById } from '../recipients/recipient.repository.ts';
import { toRecipientView } from '../recipients/recipient-views.ts';
import { type ReviewPolicy, toReviewViews } from '../review/review-views.ts';
import { toAdminTransferViews, toTransferViews } from '../transfer-views/transfer-views.ts';
import { unshownSteps } from '../transfers/move-transfer.ts';
import { findShownTransfers } from '../transfers/shown-transfers.repository.ts';
import { findNewsRead } from './news.repository.ts';

interface PushContext {
  readonly emit: Emit;
  /** Age of the last rate at which payments at it pause, in ms. */
  readonly pauseAfterMs: number;
  readonly review: ReviewPolicy;
}

/** Sends the rows of one name; several rows about one thing become one event. */
type Pusher = (em: EntityManager, rows: readonly OutboxRow[], context: PushContext) => Promise<void>;

/** One pusher per push of the contract: a push without one does not compile. */
const pushers: { readonly [Name in PushName]: Pusher } = {
  'transfer-changed': (em, rows, { emit }) => pushTransfers(em, rows, emit),
  'rate-changed': async (em, rows, { emit, pauseAfterMs }) => {
    const rates = await currentRates(em, { now: new Date(), pauseAfterMs });
    if (rates) emit('everyone', 'rate:changed', toRateBoard(rates), causeOf(rows));
  },
  'case-changed': async (em, rows, { emit }) => {
    const cases = await findCases(em, idsOf(rows, 'caseId'));
    const views = await toDeskCaseViews(em, cases, { viewerId: null, at: new Date() });
    for (const view of views) emit('admins', 'admin:case-changed', view, causeOf(rows, 'caseId', view.id));
  },
  'complaint-changed': async (em, rows, { emit }) => {
    const complaints = await findComplaints(em, idsOf(rows, 'complaintId'));
    const views = await toComplaintViews(em, complaints);
    const cause = ({ id }: { id: string }) => causeOf(rows, 'complaintId', id);
    complaints.forEach(({ senderId }, index) => {
      const view = views[index];
      if (view) emit(`user:${senderId}`, 'complaint:changed', view, cause(view));
    });
    for (const view of await toAdminComplaintViews(em, complaints, { viewerId: null, at: new Date() })) {
      emit('admins', 'admin:complaint-changed', view, cause(view));
    }
  },
  'recipient-changed': async (em, rows, { emit }) => {
    for (const recipient of await findRecipientsById(em, idsOf(rows, 'recipientId'))) {
      const { id, version, nameCheck } = await toRecipientView(em, recipient);
      const cause = causeOf(rows, 'recipientId', id);
      emit(`user:${recipient.userId}`, 'recipient:changed', { id, version, nameCheck }, cause);
    }
  },
  'review-changed': async (em, rows, { emit, review }) => {
    const transfers = idsOf(rows, 'transferId').map((id) => ({ id }));
    for (const view of await toReviewViews(em, transfers, review))
      emit('admins', 'admin:review-changed', view, causeOf(rows, 'transferId', view.id));
  },
  'books-changed': async (_em, rows, { emit }) => {
    emit('admins', 'admin:books-changed', { at: new Date().toISOString() }, causeOf(rows));
  },
  'money-stops-changed': async (_em, rows, { emit }) => {
    emit('admins', 'admin:money-stops-changed', { at: new Date().toISOString() }, causeOf(rows));
  },
  'queue-pauses-changed': async (_em, rows, { emit }) => {
    emit('admins', 'admin:queue-pauses-changed', { at: new Date().toISOString() }, causeOf(rows));
  },
  'rate-alert-fired': (em, rows, { emit }) => pushFiredAlerts(em, rows, emit),
  'repeats-changed': async (_em, rows, { emit }) => {
    for (const userId of idsOf(rows, 'userId'))
      emit(`user:${userId}`, 'repeats:changed', { at: new Date().toISOString() }, causeOf(rows, 'userId', userId));
  },
  'news-read': async (em, rows, { emit }) => {
    for (const { userId, until } of await findNewsRead(em, idsOf(rows, 'userId')))
      emit(`user:${userId}`, 'news:read', { until: until.toISOString() }, causeOf(rows, 'userId', userId));
  },
  'rate-change-updated': (em, rows, { emit }) => pushRateChanges(em, rows, emit),
  'crypto-order-changed': (em, rows, { emit }) => pushCryptoOrders(em, rows, emit),
  'rates-collected': async (em, rows, { emit }) => {
    const run = await findLastFinishedRateRun(em, idsOf(rows, 'runId'));
    if (run?.finishedAt)
      emit('everyone', 'rates:collected', { collectedAt: run.finishedAt.toISOString() }, causeOf(rows));
  },
};

/**
 * Reads the current state of what changed, and sends it to the browsers concerned. A failing push does not block the
 * others.
 * @throws AggregateError with every failure, after the rest was sent.
 */
export function createPush(send: Emit, options: Omit<PushContext, 'emit'>): Push {
  const emit = alsoToSupport(send);
  return async (em, rows) => {
    const failures: unknown[] = [];
    for (const [name, ofName] of Map.groupBy(rows, (row) => row.name as PushName)) {
      try {
        await pushers[name](em, ofName, { ...options, emit });
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'live pushes failed');
  };
}

/** Also sends events for admins to support, with personal data masked, where the role matrix permits it. */
function alsoToSupport(emit: Emit): Emit {
  return (room, event, payload, cause) => {
    emit(room, event, payload, cause);
    if (room === 'admins' && isPermitted('support', event)) emit('support', event, maskPersonal(payload), cause);
  };
}

function idsOf(rows: readonly OutboxRow[], field: string): string[] {
  return [...new Set(rows.map((row) => String(row.data[field])))];
}

/** The request that caused the last of these rows about a thing; undefined if none did. */
function causeOf(rows: readonly OutboxRow[], field?: string, id?: string): Cause | undefined {
  const data = rows.findLast((row) => field === undefined || String(row.data[field]) === id)?.data;
  const [requestId, traceId] = [requestIdIn(data), traceIdIn(data)];
  return requestId === undefined && traceId === undefined ? undefined : { requestId, traceId };
}

async function pushFiredAlerts(em: EntityManager, rows: readonly OutboxRow[], emit: Emit): Promise<void> {
  for (const alert of await findFiredAlerts(em, idsOf(rows, 'alertId'))) {
    emit(`user:${alert.userId}`, 'rate-alert:fired', toRateAlertView(alert), causeOf(rows, 'alertId', alert.id));
  }
}

async function pushRateChanges(em: EntityManager, rows: readonly OutboxRow[], emit: Emit): Promise<void> {
  const changes = await findRateChanges(em, idsOf(rows, 'changeId').map(BigInt));
  for (const change of await toRateChangeViews(em, changes))
    emit('admins', 'admin:rate-change-updated', { change }, causeOf(rows, 'changeId', change.id));
}

async function pushTransfers(em: EntityManager, rows: readonly OutboxRow[], emit: Emit): Promise<void> {
  const shown = await findShownTransfers(em, idsOf(rows, 'transferId'), { without: unshownSteps });
  const { transfers } = shown;
  const views = await toTransferViews(em, transfers, new Date(), shown);
  const adminViews = await toAdminTransferViews(em, transfers, shown);
  transfers.forEach((transfer, index) => {
    const view = views[index];
    const adminView = adminViews[index];
    const cause = causeOf(rows, 'transferId', transfer.id);
    if (view) emit(`user:${transfer.userId}`, 'transfer:changed', view, cause);
    if (adminView) emit('admins', 'admin:transfer-changed', adminView, cause);
  });
}

async function pushCryptoOrders(em: EntityManager, rows: readonly OutboxRow[], emit: Emit): Promise<void> {
  for (const order of await findCryptoOrders(em, idsOf(rows, 'orderId'))) {
    emit(`user:${order.userId}`, 'crypto-order:changed', toCryptoOrderView(order), causeOf(rows, 'orderId', order.id));
  }
}
