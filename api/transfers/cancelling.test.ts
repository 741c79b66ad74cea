import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TransferView } from '#core/contracts/http/transfers';
import { cancelWindowMs } from '#core/transfers/cancellation';
import type { TransferState } from '#core/transfers/states';
import { Transfer, TransferStep } from '#domain/transfers/transfer.entity';
import { readApiConfiguration } from '#platform/configuration/api';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { transferIn } from '../../testing/transfers.ts';
import { failureResponses } from '../http/failure-responses.ts';
import { TestApi } from '../testing/test-api.ts';
import { expectFailure } from '../testing/test-app.ts';

let testDatabase: TestDatabase;
let api: TestApi;
let sender: Awaited<ReturnType<TestApi['person']>>;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  api = await TestApi.start(readApiConfiguration({ ...testEnvironment, DATABASE_URL: testDatabase.url }));
  sender = await api.person();
});
afterAll(async () => {
  await api?.close();
  await testDatabase?.drop();
});

/** A transfer of the sender's that was paid so long ago. */
async function paid(state: TransferState, agoMs = 60_000): Promise<string> {
  const { id } = await transferIn(api.database, state, { userId: sender.user.id });
  await api.database.fork().nativeUpdate(Transfer, { id }, { paidAt: new Date(Date.now() - agoMs) });
  return id;
}

const cancel = (id: string, by = sender.browser) => by.send('POST', `/api/transactions/${id}/cancel`);
const see = async (id: string): Promise<TransferView> =>
  (await sender.browser.send('GET', `/api/transactions/${id}`)).body;
const cancelRequestsOf = (id: string) =>
  api.database.fork().count(TransferStep, { transferId: id, move: 'request_cancel', actorId: sender.user.id });

test.each(['awaiting_payment', 'in_review'] as const)(
  'a transfer that is %s is cancelled at once, without a deadline',
  async (state) => {
    const id = await paid(state, 10 * cancelWindowMs);
    expect(await see(id)).toMatchObject({ cancellable: true, cancellableUntil: null });
    const answer = await cancel(id);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ id, state: 'cancelled', status: 'cancelled', cancellable: false });
    expect((await cancel(id)).body).toMatchObject({ state: 'cancelled' });
  },
);

test.each(['approved', 'captured'] as const)(
  'the cancellation of a transfer that is %s is requested within 30 minutes, once',
  async (state) => {
    const id = await paid(state);
    const { paidAt, ...before } = await see(id);
    const until = new Date(Date.parse(paidAt ?? '') + cancelWindowMs).toISOString();
    expect(before).toMatchObject({ cancellable: true, cancellableUntil: until, cancelRequested: false });
    const answers = await Promise.all(Array.from({ length: 5 }, () => cancel(id)));
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      const after = state === 'captured' ? 'refunding' : state;
      expect(body).toMatchObject({ state: after, cancellable: false, cancellableUntil: null, cancelRequested: true });
    }
    expect(await cancelRequestsOf(id)).toBe(1);
  },
);

test('a cancellation that is refused answers why, and the state of the transfer', async () => {
  const refused = [
    [await paid('approved', cancelWindowMs + 60_000), 'cancel_too_late'],
    [await paid('completed'), 'already_deposited'],
    [await paid('rejected'), 'already_ended'],
    [await paid('expired'), 'already_ended'],
    [await paid('refunding'), 'already_returning'],
  ] as const;
  for (const [id, code] of refused) {
    const answer = await cancel(id);
    expectFailure(answer, 409, code);
    expect(answer.body).toMatchObject({
      message: failureResponses[code].message,
      transaction: { id, cancellable: false },
    });
    expect(await see(id)).toMatchObject({ cancellable: false, cancellableUntil: null, cancelRequested: false });
  }
});

test('cancelling another sender’s transfer answers 404', async () => {
  const id = await paid('in_review');
  const { browser } = await api.person();
  expectFailure(await cancel(id, browser), 404, 'not_found');
  expectFailure(await cancel(id, api.visitor()), 401, 'unauthenticated');
  expect((await see(id)).state).toBe('in_review');
});
