import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { useTransferFixture } from '../../testing/transfer-fixture.ts';
import { openTestTransfer, testMoment, testTarget, transferIn } from '../../testing/transfers.ts';
import { readTarget } from '../personal-data/payout-target.ts';
import { attachPaymentIntent } from './move-transfer.ts';

const fixture = useTransferFixture();

describe('opening a transfer', () => {
  test('writes the frozen quote, the first step and the expiry', async () => {
    const recipient = null;
    const { id } = await fixture.database.transaction(async (em) =>
      openTestTransfer(em, { userId: fixture.userId, recipient }),
    );
    const { transfer, steps, postings, outbox } = await fixture.everythingOf(id);
    expect(transfer).toMatchObject({
      state: 'awaiting_payment',
      version: 1,
      feeMinor: 350n,
      bolivianosMinor: 129_117n,
    });
    expect(steps).toMatchObject([
      { version: 1, state: 'awaiting_payment', move: null, owner: 'sender', actorId: fixture.userId },
    ]);
    expect(postings).toEqual([]);
    // The sweep finds it when its quote has expired.
    expect(outbox).toEqual([]);
  });

  test('stores a copy of the recipient as payout target, or none', async () => {
    const recipientId = randomUUID();
    const { id } = await fixture.database.transaction(async (em) => {
      await em.execute(
        `insert into recipient (id, user_id, name, email, phone, ci, bank_name, bank_account, address, city, relationship,
           created_at) values (?, ?, 'Rosa', '', '', '', '', '', '', '', '', now())`,
        [recipientId, fixture.userId],
      );
      openTestTransfer(em, { userId: fixture.userId });
      return openTestTransfer(em, { userId: fixture.userId, recipient: { id: recipientId, target: testTarget } });
    });
    const { transfer } = await fixture.everythingOf(id);
    expect(transfer.recipientId).toBe(recipientId);
    const { payoutTarget } = transfer;
    expect(payoutTarget && (await readTarget(fixture.database.fork(), id, payoutTarget))).toEqual(testTarget);
    const [{ missing }] = await fixture.database
      .fork()
      .execute<[{ missing: string }]>(
        `select count(*) as missing from transfer where recipient_id is null and payout_target is not null`,
      );
    expect(Number(missing)).toBe(0);
  });

  test('with an inconsistent quote is rejected by the database', async () => {
    const wrong = fixture.database.transaction(async (em) => {
      openTestTransfer(em, { userId: fixture.userId }).netMinor += 1n;
    });
    await expect(wrong).rejects.toThrow(/transfer_(amount_adds_up|never_above_exact)/);
    const generous = fixture.database.transaction(async (em) => {
      openTestTransfer(em, { userId: fixture.userId }).bolivianosMinor += 1n;
    });
    await expect(generous).rejects.toThrow('transfer_never_above_exact');
  });
});

describe('the payment intent of a transfer', () => {
  test('that is attached to a transfer increments its version and is pushed', async () => {
    const { id, version } = await transferIn(fixture.database, 'awaiting_payment', { userId: fixture.userId });
    const at = new Date(testMoment.getTime() + 1000);
    const attach = () => fixture.database.transaction((em) => attachPaymentIntent(em, id, `pi_${randomUUID()}`, at));
    await attach();
    await attach();
    const { transfer, outbox } = await fixture.everythingOf(id);
    expect(transfer).toMatchObject({ version: version + 1, changedAt: at });
    expect(outbox.filter((row) => row.name === 'transfer-changed')).toHaveLength(1);
  });

  test('is stored once and never replaced', async () => {
    const { id } = await transferIn(fixture.database, 'awaiting_payment', { userId: fixture.userId });
    const intents = [`pi_${randomUUID()}`, `pi_${randomUUID()}`];
    for (const intent of [intents[0], intents[0], intents[1]]) {
      await fixture.database.transaction((em) => attachPaymentIntent(em, id, intent as string, testMoment));
    }
    expect((await fixture.everythingOf(id)).transfer.paymentIntentId).toBe(intents[0]);
  });

  test('belongs to one transfer', async () => {
    const [a, b] = await Promise.all(
      [1, 2].map(() => transferIn(fixture.database, 'awaiting_payment', { userId: fixture.userId })),
    );
    const intent = `pi_${randomUUID()}`;
    await fixture.database.transaction((em) => attachPaymentIntent(em, a?.id as string, intent, testMoment));
    const second = fixture.database.transaction((em) => attachPaymentIntent(em, b?.id as string, intent, testMoment));
    await expect(second).rejects.toThrow('transfer_payment_intent_id_unique');
  });
});
