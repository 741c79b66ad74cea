import type { RowJobData, RowJobName } from '#core/contracts/jobs';
import type { Database, EntityManager } from '#platform/database/database';
import { type Dispatched, findDispatched, type RowTable } from '#platform/outbox/row-jobs';
