import type { TransferView } from '#core/contracts/http/transfers';
import type { EntityManager } from '#platform/database/database';
import type { Transfer } from './transfer.entity.ts';
import { toTransferViews } from './transfer-views.ts';

/** One transfer as its sender sees it now. */
export async function viewOf(em: EntityManager, transfer: Transfer): Promise<TransferView> {
  const [view] = await toTransferViews(em, [transfer], new Date());
  return view as TransferView;
}
