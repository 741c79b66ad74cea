import type { Permission } from '#core/accounts/roles';
import type { RowJobData, RowJobName } from '#core/contracts/jobs';
import type { Database, EntityManager } from '#platform/database/database';
import type { RowTable } from '#platform/outbox/row-jobs';
import { emailRows, retryEmail } from '../emails/email.repository.ts';
import { retryStripeEvent, stripeEventRows } from '../payments/stripe-event.repository.ts';
import { operationRows } from '../provider-calls/operation.repository.ts';
import { nameCheckRows, retryNameCheck } from '../recipients/name-check.repository.ts';
import type { ReviewPolicy } from '../review/review-views.ts';
import { decideScreening } from '../review/reviews.ts';
import { screeningRows } from '../review/screening.repository.ts';
import { retryWebPush, webPushRows } from '../web-pushes/web-push.repository.ts';
import { deliveryRows, retryDelivery } from '../webhooks/delivery.repository.ts';
import { retryOperation } from './retry-operation.ts';

/** Who retries a job, and the settings that determine whether it needs a second person. */
export interface Retry {
  readonly personId: string;
  readonly at: Date;
  readonly desk: { readonly twoPersonsUsdMinor: bigint; readonly reviewTwoPersonsUsdMinor: bigint };
  readonly review: ReviewPolicy;
}

/**
 * The result of retrying a failed job. `run`: its row is open and waits for this job, so the queue retries it. `again`:
 * its row was given up and has a new job now. `waits`: it awaits a second person. `done`: there is nothing left to do.
 * `superseded`: a newer job works on the row.
 */
export type RetryOutcome = 'run' | 'again' | 'waits' | 'done' | 'superseded';

interface RetryRule {
  readonly table: RowTable;
  /** The required permission. */
  readonly permission: Permission;
  /** Whether it may move money and therefore needs a fresh second factor, as on the operations desk. */
  readonly needsFreshFactor: boolean;
  /** Retries a row that was given up. @throws Failure if the user may not, or a domain rule forbids it. */
  readonly again: (
    database: Database,
    id: string,
    retry: Retry,
  ) => Promise<Exclude<RetryOutcome, 'run' | 'superseded'>>;
}

/** A rule based on a repository function that reports whether the row had been given up. */
function byRow(retryRow: (em: EntityManager, id: string, at: Date) => Promise<boolean>): RetryRule['again'] {
  return async (database, id, { at }) =>
    (await database.transaction((em) => retryRow(em, id, at))) ? 'again' : 'done';
}

const operations = {
  table: operationRows,
  permission: 'actOnCase',
  needsFreshFactor: true,
  again: async (database, operationId, { personId: adminId, at, desk }) => {
    const { waits } = await retryOperation(database, { operationId, adminId, at, ...desk });
    return waits ? 'waits' : 'again';
  },
} as const satisfies RetryRule;

const board = { permission: 'queueBoard', needsFreshFactor: false } as const;

/** How each row job is retried; a job without a rule does not compile. */
export const retryRules: Readonly<Record<RowJobName, RetryRule>> = {
  'run-card-operation': operations,
  'run-payout': operations,
  'run-refund': operations,
  'handle-stripe-event': { ...board, table: stripeEventRows, again: byRow(retryStripeEvent) },
  'screen-names': {
    ...board,
    table: screeningRows,
    permission: 'decideScreening',
    again: async (database, transferId, { personId: adminId, at, review }) => {
      await decideScreening(database, { transferId, adminId, decision: { verdict: 'again' }, at }, review);
      return 'again';
    },
  },
  'check-account-name': { ...board, table: nameCheckRows, again: byRow(retryNameCheck) },
  'send-email': { ...board, table: emailRows, again: byRow(retryEmail) },
  'send-web-push': { ...board, table: webPushRows, again: byRow(retryWebPush) },
  'deliver-event': { ...board, permission: 'resendDelivery', table: deliveryRows, again: byRow(retryDelivery) },
};

/**
 * Retries a failed job of a row. The queue's own retry would have no effect on a row that was given up, because the
 * handler treats it as done.
 * @throws Failure if a domain rule forbids it.
 */
export async function retryRowJob(
  database: Database,
  { name, data: { id, dispatch } }: { readonly name: RowJobName; readonly data: RowJobData },
  retry: Retry,
): Promise<RetryOutcome> {
  const { table, again } = retryRules[name];
  const { entity, key } = table;
  const [row] = await database
    .fork()
    .execute<{ dispatch: number; isOpen: boolean }[]>(
      `select dispatch, next_attempt_at is not null as "isOpen" from ${entity.meta.tableName} where ${key} = ?`,
      [id],
    );
  if (!row) return 'done';
  if (row.dispatch !== dispatch) return 'superseded';
  return row.isOpen ? 'run' : again(database, id, retry);
}
