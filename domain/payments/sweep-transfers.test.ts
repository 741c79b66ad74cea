import { describe, expect, it } from 'vitest';
import { hourMs } from '#core/time/time';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { usePaymentFixture } from '../../testing/payment-fixture.ts';
import { authorizationMarginMs, type SweptJob } from '../transfers/transfer.repository.ts';
import { sweepTransfers } from './sweep-transfers.ts';

const fixture = usePaymentFixture();

const later = (ms: number) => {
  fixture.now = new Date(fixture.now.getTime() + ms);
};

/** Creates a transfer that waits for the job. */
const waiting: Readonly<Record<SweptJob, () => Promise<string>>> = {
  // Pushes the quote's expiry back, which would need `expire-payment`.
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
  it.each(Object.entries(waiting))('requeues a lost job %s after a sweep interval', async (job, create) => {
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

  it('reads payments that wait for a card in pages, and queues only those that no longer wait', async () => {
    fixture.now = new Date();
    const unpaid = [
      await fixture.create({ state: 'awaiting_payment' }),
      await fixture.create({ state: 'awaiting_payment' }),
    ];
    const paid = await waiting['sync-payment']();
    const ids = [...unpaid, paid];
    await fixture.database
      .fork()
      .execute(`update transfer set quote_expires_at = now() + interval '1 day' where id in (?, ?)`, unpaid);
    for (const id of ids) await fixture.loseJobs(id);
    later(fixture.context.sweepEveryMs);
    fixture.stripe.calls.length = 0;
    await sweepTransfers(fixture.context);
    expect(fixture.stripe.calls.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /v1/payment_intents']);
    expect(await Promise.all(ids.map((id) => fixture.requestedJobs(id)))).toEqual([[], [], ['sync-payment']]);
  });

  it('queues every payment while Stripe does not list them', async () => {
    fixture.now = new Date();
    const id = await waiting['sync-payment']();
    await fixture.loseJobs(id);
    later(fixture.context.sweepEveryMs);
    fixture.stripe.failNext({ kind: 'error', status: 400, path: '^/v1/payment_intents$' });
    await sweepTransfers(fixture.context);
    expect(await fixture.requestedJobs(id)).toEqual(['sync-payment']);
  });

  it('queues nothing once a transfer has ended and nothing is authorized', async () => {
    fixture.now = new Date();
    const id = await fixture.create({ state: 'in_review' });
    await fixture.reject(id);
    await fixture.run(id, 'void');
    await fixture.loseJobs(id);
    later(fixture.context.sweepEveryMs);
    await sweepTransfers(fixture.context);
    expect(await fixture.requestedJobs(id)).toEqual([]);
  });

  it('queues an unchanged transfer with back-off in the first hour, then once an hour', async () => {
    fixture.now = new Date(Math.ceil(Date.now() / hourMs) * hourMs);
    const id = await waiting['sync-payment']();
    await fixture.loseJobs(id);
    const askedIn = async (sweeps: number, everyMs: number) => {
      for (let count = 0; count < sweeps; count += 1) {
        later(everyMs);
        await sweepTransfers(fixture.context);
      }
      const rows = await fixture.database.fork().find(OutboxRow, { kind: 'job', data: { transferId: id } });
      return new Set(rows.map((row) => row.jobKey)).size;
    };
    const { sweepEveryMs } = fixture.context;
    // After 1, 2, 4 and 8 intervals: more jobs would only pile up if the worker is slow.
    expect(await askedIn(1, sweepEveryMs)).toBe(1);
    expect(await askedIn(1, sweepEveryMs)).toBe(2);
    expect(await askedIn(13, sweepEveryMs)).toBe(4);
    fixture.now = new Date(Math.ceil((fixture.now.getTime() + hourMs) / hourMs) * hourMs);
    expect(await askedIn(6, hourMs / 2 - 1)).toBe(4 + 3);
  });

  it('counts from the deadline, not from before it', async () => {
    fixture.now = new Date();
    const id = await waiting['expire-payment']();
    const quoteExpiresAt = new Date(fixture.now.getTime() + hourMs / 3);
    await fixture.database
      .fork()
      .execute('update transfer set quote_expires_at = ? where id = ?', [quoteExpiresAt, id]);
    const queuedKeys = async () => {
      await fixture.loseJobs(id);
      await sweepTransfers(fixture.context);
      const rows = await fixture.database.fork().find(OutboxRow, { name: 'expire-payment', data: { transferId: id } });
      return rows.map(({ jobKey }) => jobKey);
    };
    const keys = new Set<string | null | undefined>();
    for (const intervals of [0, 0.5, 2, 4]) {
      fixture.now = new Date(quoteExpiresAt.getTime() + intervals * fixture.context.sweepEveryMs);
      for (const key of await queuedKeys()) keys.add(key);
    }
    expect(keys.size).toBe(3);
  });
});
