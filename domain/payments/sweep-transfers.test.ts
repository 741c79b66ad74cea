import { describe, expect, it } from 'vitest';
import type { TransferJob } from '#core/contracts/jobs';
import { hourMs } from '#core/time/time';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { usePaymentFixture } from '../testing/payment-fixture.ts';
import { authorizationMarginMs } from '../transfers/transfer.repository.ts';
import { sweepTransfers } from './sweep-transfers.ts';

const fixture = usePaymentFixture();

const later = (ms: number) => {
  fixture.now = new Date(fixture.now.getTime() + ms);
};

/** A transfer that waits for each job. */
const waiting: Readonly<Record<TransferJob, () => Promise<string>>> = {
  // Its quote would run out meanwhile, which is what `expire-payment` is for.
  'sync-payment': async () => {
    const id = await fixture.create({ state: 'held' });
    await fixture.database
      .fork()
      .execute(`update transfer set quote_expires_at = now() + interval '1 day' where id = ?`, [id]);
    return id;
  },
  'expire-payment': () => fixture.create({ state: 'awaiting_payment' }),
  'expire-authorization': async () => {
    const id = await fixture.create({ state: 'in_review' });
    fixture.now = new Date(((await fixture.see(id)).captureBefore?.getTime() ?? 0) - authorizationMarginMs);
    return id;
  },
};

describe('sweepTransfers', () => {
  it.each(Object.entries(waiting))('asks again for a lost job %s after a sweep interval', async (job, create) => {
    fixture.now = new Date();
    const id = await create();
    await fixture.loseJobs(id);
    const { changedAt } = await fixture.see(id);
    if (fixture.now.getTime() - changedAt.getTime() < fixture.context.sweepEveryMs) {
      await sweepTransfers(fixture.context);
      expect(await fixture.requestedJobs(id)).toEqual([]);
      later(fixture.context.sweepEveryMs);
    }
    await sweepTransfers(fixture.context);
    expect(await fixture.requestedJobs(id)).toEqual([job]);
  });

  it('asks for nothing once a transfer has ended and nothing is held', async () => {
    fixture.now = new Date();
    const id = await fixture.create({ state: 'in_review' });
    await fixture.reject(id);
    await fixture.run(id, 'void');
    await fixture.loseJobs(id);
    later(fixture.context.sweepEveryMs);
    await sweepTransfers(fixture.context);
    expect(await fixture.requestedJobs(id)).toEqual([]);
  });

  it('asks once per sweep interval in the first hour and once per hour afterwards', async () => {
    fixture.now = new Date(Math.ceil(Date.now() / hourMs) * hourMs);
    const id = await waiting['sync-payment']();
    await fixture.loseJobs(id);
    const keys = async () => {
      await sweepTransfers(fixture.context);
      await sweepTransfers(fixture.context);
      const rows = await fixture.database.fork().find(OutboxRow, { kind: 'job', data: { transferId: id } });
      return new Set(rows.map((row) => row.jobKey)).size;
    };
    later(fixture.context.sweepEveryMs);
    expect(await keys()).toBe(1);
    later(fixture.context.sweepEveryMs);
    expect(await keys()).toBe(2);
    later(hourMs);
    expect(await keys()).toBe(3);
    later(hourMs / 2);
    expect(await keys()).toBe(3);
    later(hourMs / 2);
    expect(await keys()).toBe(4);
  });
});
