import { describe, expect, test } from 'vitest';
import { dayMs } from '#core/time/time';
import { User } from '#domain/accounts/account.entity';
import type { JobContext } from '#domain/jobs/job-context';
import type { Transfer } from '#domain/transfers/transfer.repository';
import { runJob } from './handlers.ts';
import { useTransferFixture } from './testing/transfer-fixture.ts';

const fixture = useTransferFixture();

/** Syncs the payment of a transfer with the sender's daily and 30-day limits given in US cents. */
const sync = (transferId: string, dayUsdMinor: bigint, monthUsdMinor = dayUsdMinor) => {
  const context: JobContext = { ...fixture.context, limits: { dayUsdMinor, monthUsdMinor } };
  return runJob(context, { name: 'sync-payment', data: { transferId } });
};

describe('limits of what a sender pays', () => {
  test('of several transfers paid at once, only those within the limit are authorized', async () => {
    const ids = await Promise.all([1, 2, 3].map(() => fixture.create({ state: 'held' })));
    const { usdMinor } = await fixture.see(ids[0] as string);
    await Promise.all(ids.map((id) => sync(id, usdMinor * 2n + 1n)));
    const seen = await Promise.all(ids.map((id) => fixture.see(id)));
    expect(seen.map(({ state }) => state).sort()).toEqual(['failed', 'in_review', 'in_review']);
    const refused = seen.find(({ state }) => state === 'failed');
    expect(refused?.reason).toBe(
      'Con este envío superabas tu límite de 24 horas. Liberamos la reserva en tu tarjeta: no se cobró nada.',
    );
    await fixture.expectEnd(refused?.id as string, 'failed');
  });

  test('a payment above the sender’s tier is authorized after they reach a higher one', async () => {
    fixture.now = new Date(fixture.now.getTime() + 40 * dayMs);
    const ids = await Promise.all([1, 2].map(() => fixture.create({ state: 'held' })));
    const [first, second] = (await Promise.all(ids.map((id) => fixture.see(id)))) as [Transfer, Transfer];
    const most = { paymentUsdMinor: 10n ** 12n, dayUsdMinor: 10n ** 12n, monthUsdMinor: 10n ** 12n };
    const lower = { identity: most, email: { ...most, dayUsdMinor: first.usdMinor - 1n } };
    const context: JobContext = { ...fixture.context, limits: { ...most, lower } };
    const syncOf = ({ id: transferId }: Transfer) => runJob(context, { name: 'sync-payment', data: { transferId } });
    await syncOf(first);
    await fixture.database.fork().nativeUpdate(User, { id: second.userId }, { tier: 'identity' });
    await syncOf(second);
    expect((await fixture.see(first.id)).state).toBe('failed');
    expect((await fixture.see(second.id)).state).toBe('in_review');
  });

  test('the limit of 30 days includes payments before the last 24 hours', async () => {
    fixture.now = new Date(fixture.now.getTime() + 40 * dayMs);
    const first = await fixture.create({ state: 'held' });
    const { usdMinor } = await fixture.see(first);
    await sync(first, usdMinor);
    fixture.now = new Date(fixture.now.getTime() + 2 * dayMs);
    const second = await fixture.create({ state: 'held' });
    await sync(second, usdMinor, usdMinor * 2n - 1n);
    expect(await fixture.see(second)).toMatchObject({
      state: 'failed',
      reason: 'Con este envío superabas tu límite de 30 días. Liberamos la reserva en tu tarjeta: no se cobró nada.',
    });
    fixture.now = new Date(fixture.now.getTime() + 29 * dayMs);
    const third = await fixture.create({ state: 'held' });
    await sync(third, usdMinor, usdMinor * 2n - 1n);
    expect((await fixture.see(third)).state).toBe('in_review');
  });
});
