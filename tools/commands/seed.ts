import { testUser } from '#core/contracts/test-user';
import type { FeeSchedule } from '#core/money/fee';
import { fallbackEurUsd, parseRate, type Rate } from '#core/rates/rate';
import { payoutMethodOf } from '#core/recipients/banks';
import { hourMs } from '#core/time/time';
import { estimateDelivery } from '#core/transfers/delivery';
import { makeQuote } from '#core/transfers/quote';
import type { MoveName } from '#core/transfers/states';
import { ensureAdmin } from '#domain/account-oversight/operator-accounts';
import { createUser, findUserByEmail, type User } from '#domain/accounts/account.repository';
import { hashPassword } from '#domain/accounts/passwords';
import { deleteEmailsTo } from '#domain/emails/email.repository';
import { importDollarHistory } from '#domain/rate-observations/dollar-history';
import { hasRates } from '#domain/rates/rate.repository';
import { setRate } from '#domain/rates/set-rate';
import { addRecipient, type Recipient } from '#domain/recipients/recipient.repository';
import { targetOf } from '#domain/recipients/recipient-views';
import { markAuthorizationVoided, moveTransfer } from '#domain/transfers/move-transfer';
import { openTransfer } from '#domain/transfers/open-transfer';
import { readSeedConfiguration } from '#platform/configuration/commands';
import type { Database, EntityManager } from '#platform/database/database';
import { createLogger } from '#platform/logging';
import { deleteOutboxOf } from '#platform/outbox/outbox';
import { runCommand, withDatabase } from './command.ts';
import { demoAdmin, demoSecondAdmin, demoSender } from './demo-accounts.ts';
import {
  addDays,
  historicRates,
  type SampleTransfer,
  sampleRates,
  sampleRecipients,
  sampleTransfers,
} from './seed-samples.ts';
import { seedSources } from './seed-sources.ts';

/** How long before now the history counts as imported: one interval of the source runs. */
const historyReadMs = 2 * hourMs;

/** Command: seeds demonstration data once, in the sandbox only. Safe to repeat. */
await runCommand(async () => {
  const { databaseUrl, logLevel, demoPassword: password, fee, personalDataKeys } = readSeedConfiguration();
  const seedAll = async (database: Database) => {
    await database.personalData.load();
    await database.transaction((em) => seed(em, { password, fee, now: new Date() }));
  };
  await withDatabase(databaseUrl, seedAll, personalDataKeys);
  createLogger('platform', logLevel).info('demonstration data ready');
});

async function seed(
  em: EntityManager,
  { password, fee, now }: { password: string; fee: FeeSchedule; now: Date },
): Promise<void> {
  // Of two concurrent starts the second waits here and then has nothing to do.
  await em.execute("select pg_advisory_xact_lock(hashtext('chasqui-seed'))");
  const admin = await ensureAdmin(em, { ...demoAdmin, password, at: addDays(now, -400) });
  await ensureAdmin(em, { ...demoSecondAdmin, password, at: addDays(now, -400) });
  if (!(await hasRates(em))) await seedRates(em, admin, now);
  if (!(await findUserByEmail(em, demoSender.email))) await seedSender(em, { admin, password, fee, now });
  await seedTestUser(em, now);
}

async function seedRates(em: EntityManager, admin: User, now: Date): Promise<void> {
  // Far enough from now that the first source run is not skipped.
  await importDollarHistory(em, new Date(now.getTime() - historyReadMs));
  const first = Math.max(...sampleRates.map(({ daysAgo }) => daysAgo));
  for (const { at, rate } of historicRates(addDays(now, -366), addDays(now, -first))) {
    await setRate(em, { currency: 'USD', rate, setById: admin.id, at });
  }
  for (const { currency, rate, daysAgo } of sampleRates) {
    await setRate(em, { currency, rate: parseRate(rate) as Rate, setById: admin.id, at: addDays(now, -daysAgo) });
  }
}

/** The account that the button of `/test-login` signs in to. */
async function seedTestUser(em: EntityManager, at: Date): Promise<void> {
  const { name, email, password } = testUser;
  if (await findUserByEmail(em, email)) return;
  await createUser(em, {
    name,
    email,
    passwordHash: await hashPassword(password),
    emailVerifiedAt: at,
    termsAcceptedAt: at,
    at,
  });
}

async function seedSender(
  em: EntityManager,
  { admin, password, fee, now }: { admin: User; password: string; fee: FeeSchedule; now: Date },
): Promise<void> {
  const since = addDays(now, -45);
  const sender = await createUser(em, {
    ...demoSender,
    passwordHash: await hashPassword(password),
    phone: '+34 600 000 000',
    city: 'Madrid',
    occupation: 'empleado',
    birthDate: '1990-05-17',
    emailVerifiedAt: since,
    termsAcceptedAt: since,
    at: since,
  });
  const recipients: Recipient[] = [];
  // Sequential, because the transaction has one connection.
  for (const input of sampleRecipients) {
    recipients.push(await addRecipient(em, { userId: sender.id, input, at: since }));
  }
  const ids: string[] = [];
  for (const sample of sampleTransfers) {
    const recipient = recipients[sample.recipient];
    if (recipient) ids.push(await seedTransfer(em, { sample, sender, admin, recipient, fee, now }));
  }
  await seedSources(em, ids, now);
  // The samples are in the past: none of their jobs may run.
  await deleteOutboxOf(em, ids);
  await deleteEmailsTo(em, sender.id);
}

async function seedTransfer(
  em: EntityManager,
  input: { sample: SampleTransfer; sender: User; admin: User; recipient: Recipient; fee: FeeSchedule; now: Date },
): Promise<string> {
  const { sample, sender, admin, recipient, fee, now } = input;
  const at = addDays(now, -sample.daysAgo);
  const later = (minutes: number) => new Date(at.getTime() + minutes * 60_000);
  const [rate, referenceRate] = [parseRate(sample.rate) as Rate, parseRate(sample.referenceRate)];
  const quote = makeQuote({ ...sample, rate, referenceRate, fee });
  const transfer = openTransfer(em, {
    userId: sender.id,
    quote,
    rateSince: at,
    eurUsd: fallbackEurUsd,
    recipient: { id: recipient.id, target: await targetOf(em, recipient) },
    quoteExpiresAt: later(30),
    estimatedDelivery: estimateDelivery(later(2), payoutMethodOf(recipient.bankName)),
    at,
  });
  await em.flush();
  const move = (moveName: MoveName, minutes: number, changes = {}) =>
    moveTransfer(em, transfer.id, moveName, { at: later(minutes), changes });
  await move('hold', 2, { paidAt: later(2), cardBrand: 'visa', cardLast4: '4242' });
  const decision = { decidedAt: later(24), decidedById: admin.id };
  if (sample.outcome === 'rejected') {
    await move('reject', 24, { ...decision, reason: 'No pudimos confirmar el número de cuenta.' });
    await markAuthorizationVoided(em, transfer.id, later(25));
    return transfer.id;
  }
  await move('approve', 24, decision);
  await move('capture', 25);
  await move('pay_out', 26, { payoutReference: sample.reference });
  return transfer.id;
}
