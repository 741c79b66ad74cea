import type { PushName } from '#core/contracts/live';
import type { EntityManager } from '#platform/database/database';
import type { Emit, Push } from '#platform/live/push';
import { CryptoOrder } from '../crypto/crypto-order.entity.ts';
import { toCryptoOrderView } from '../crypto/crypto-order.repository.ts';
import { RateRun } from '../rate-sources/rate-run.entity.ts';
import { currentRates, toRateBoard } from '../rates/current-rates.ts';
import { RateAlert, RateChange } from '../rates/rate.entity.ts';
import { toRateAlertView } from '../rates/rate-alerts.ts';
import { toRateChangeViews } from '../rates/rate-change-views.ts';
import { Transfer } from '../transfers/transfer.entity.ts';
import { toAdminTransferViews, toTransferViews } from '../transfers/transfer-views.ts';

/** Reads what changed, as it is now, and sends it to those it concerns. Several rows of one thing become one push. */
export function createPush(emit: Emit, options: { pauseAfterMs: number }): Push {
  return async (em, rows) => {
    const named = (name: PushName) => rows.filter((row) => row.name === name);
    const changed = new Set(named('transfer-changed').map((row) => String(row.data.transferId)));
    if (changed.size > 0) await pushTransfers(em, [...changed], emit);
    if (named('rate-changed').length > 0) {
      const rates = await currentRates(em, { now: new Date(), pauseAfterMs: options.pauseAfterMs });
      if (rates) emit('everyone', 'rate:changed', toRateBoard(rates));
    }
    const alerts = new Set(named('rate-alert-fired').map((row) => String(row.data.alertId)));
    if (alerts.size > 0) await pushFiredAlerts(em, [...alerts], emit);
    const changes = new Set(named('rate-desk-changed').map((row) => BigInt(String(row.data.changeId))));
    if (changes.size > 0) await pushRateChanges(em, [...changes], emit);
    const orders = new Set(named('crypto-order-changed').map((row) => String(row.data.orderId)));
    if (orders.size > 0) await pushCryptoOrders(em, [...orders], emit);
    const runs = named('rates-collected').map((row) => String(row.data.runId));
    if (runs.length > 0) {
      const [run] = await em.find(RateRun, { id: { $in: runs } }, { orderBy: { finishedAt: 'desc' }, limit: 1 });
      if (run?.finishedAt) emit('everyone', 'rates:collected', { collectedAt: run.finishedAt.toISOString() });
    }
  };
}

async function pushFiredAlerts(em: EntityManager, ids: string[], emit: Emit): Promise<void> {
  for (const alert of await em.find(RateAlert, { id: { $in: ids }, firedAt: { $ne: null } })) {
    emit(`user:${alert.userId}`, 'rate-alert:fired', toRateAlertView(alert));
  }
}

async function pushRateChanges(em: EntityManager, ids: bigint[], emit: Emit): Promise<void> {
  const changes = await em.find(RateChange, { id: { $in: ids } }, { orderBy: { id: 'asc' } });
  for (const change of await toRateChangeViews(em, changes)) emit('admins', 'admin:rate-desk-changed', { change });
}

async function pushTransfers(em: EntityManager, ids: string[], emit: Emit): Promise<void> {
  const transfers = await em.find(Transfer, { id: { $in: ids } });
  const views = await toTransferViews(em, transfers, new Date());
  const adminViews = await toAdminTransferViews(em, transfers);
  transfers.forEach((transfer, index) => {
    const view = views[index];
    const adminView = adminViews[index];
    if (view) emit(`user:${transfer.userId}`, 'transfer:changed', view);
    if (adminView) emit('admins', 'admin:transfer-changed', adminView);
  });
}

async function pushCryptoOrders(em: EntityManager, ids: string[], emit: Emit): Promise<void> {
  for (const order of await em.find(CryptoOrder, { id: { $in: ids } })) {
    emit(`user:${order.userId}`, 'crypto-order:changed', toCryptoOrderView(order));
  }
}
