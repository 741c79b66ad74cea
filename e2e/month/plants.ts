import { expect } from 'vitest';
import type { Cause } from '#core/reconciliation/cause';
import { shiftDay } from '#core/reconciliation/days';
import { bolivianDays, isBusinessDay } from '#core/time/business-days';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { allBankPlants } from './bank-plants.ts';
import { monthDays } from './calendar.ts';
import { atBank, atStripe, type Carrier, type Found, type Plant } from './planting.ts';
import { reviewFates } from './review-fates.ts';
import { correct, dispute, lose, plain, refuse, returnAll } from './steps.ts';
import { allStripePlants } from './stripe-plants.ts';
import { inDaylight, later, type Sent, type World } from './world.ts';

/** Transfers that something is planted about: `plant` is called in the session of the movement. */
const carriers = {
  completed: async (world: World, sent: Sent, plant: () => void) => {
    await plain(world, sent);
    plant();
  },
  rejected: async (world: World, sent: Sent, plant: () => void) => {
    await reviewFates.rejected.run(world, sent);
    plant();
  },
  refunded: (world: World, sent: Sent, plant: () => void) =>
    refuse(world, sent, { about: 'other', card: '4242424242424242', after: async () => plant() }),
  refunding: async (world: World, sent: Sent, plant: () => void) => {
    sent.refundOverdueFrom = world.clock.day;
    await world.app.sandbox.keepRefundsPending(sent.intentId, true);
    await refuse(world, sent, { about: 'other', after: async () => plant() });
  },
  disputed: async (world: World, sent: Sent, plant: () => void) => {
    await plain(world, sent);
    inDaylight(world, 2, async () => {
      await dispute(world, sent);
      plant();
      later(world, 4, () => lose(world, sent));
    });
  },
  returned: async (world: World, sent: Sent, plant: () => void) => {
    await plain(world, sent);
    inDaylight(world, 2, async () => {
      await returnAll(world, sent);
      plant();
      later(world, 2, () => correct(world, sent));
    });
  },
} satisfies Record<Carrier, unknown>;

const plants: readonly Plant[] = [...allStripePlants, ...allBankPlants];

/** Transfers that something is planted about. */
export const carrierCount = plants.length;

/** Working days with planted differences, which concern the same day or the day after. */
const isWorked = (day: string) => isBusinessDay(day, bolivianDays);
const plantDays = monthDays.slice(1, 20).filter((day) => isWorked(day) && isWorked(shiftDay(day, 1)));

/** The numbers of the plants whose transfers are made in a session. */
export function plantsOf({ kind, day }: World['session']): number[] {
  if (kind !== 'morning') return [];
  return plants.flatMap((_, number) => (plantDays[number % plantDays.length] === day ? [number] : []));
}

/** Brings a transfer that something is planted about to where that can be done, and leaves it to the end of the session. */
export async function carry(world: World, sent: Sent, number: number): Promise<void> {
  const { what, carrier, plant } = plants[number] as Plant;
  await carriers[carrier](world, sent, () => {
    world.plantings.push(async () => {
      const found = [await plant(world, sent)].flat();
      for (const one of found) world.planted.push({ ...one, what, transferId: sent.id });
    });
  });
}

/**
 * A difference without a transfer: the number of its day, the additional entry of Stripe or the bank, and the expected
 * finding.
 */
type Stray = readonly [
  day: number,
  at: 'stripe' | 'bank',
  body: object,
  found: Pick<Found, 'cause' | 'difference' | 'currency'>,
];
const strays: readonly Stray[] = [
  [
    5,
    'stripe',
    { kind: 'extra', amount: 4_200, currency: 'usd' },
    { cause: 'stripe_unknown', difference: 4_200n, currency: 'USD' },
  ],
  [6, 'bank', { kind: 'extra', cents: -2_500, fee: true }, { cause: 'bank_fee', difference: -2_500n, currency: 'BOB' }],
  [
    7,
    'bank',
    { kind: 'extra', cents: -80_000 },
    { cause: 'bank_debit_unknown', difference: -80_000n, currency: 'BOB' },
  ],
  [8, 'bank', { kind: 'extra', cents: 95_000 }, { cause: 'bank_credit_unknown', difference: 95_000n, currency: 'BOB' }],
  [13, 'bank', { kind: 'gap', byCents: 1_000 }, { cause: 'bank_balance_gap', difference: 0n, currency: 'BOB' }],
];
const strayNames: Partial<Record<Cause, string>> = {
  stripe_unknown: 'Stripe adjusts the balance',
  bank_fee: 'the bank charges a fee',
  bank_debit_unknown: 'the bank pays an unknown account',
  bank_credit_unknown: 'an unknown party pays',
  bank_balance_gap: 'a statement begins with another balance',
};

/** What Stripe takes of the account itself once a month, in cents: a cost, and no exception. */
const accountFee = 1_900n;

/** The number of the day on which the bank returns a payment made outside the product, and the bank's id of that payment. */
const foreignDay = 9;
export const foreignPayment = 'foreign-1';

/**
 * Makes a payment from our account outside the product and has the bank return it: the statement shows both, and the list of returns an unknown
 * payment.
 */
async function plantForeignReturn({ app, clock, planted }: World): Promise<void> {
  const { day } = clock;
  const externalId = foreignPayment;
  const beneficiary = { name: 'Rosa Choque', ci: '1234567', bankName: 'Banco Unión', bankAccount: '10000001' };
  const response = await fetch(`${app.stack.sandboxUrl}/bank/v1/payouts`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${testEnvironment.BANK_API_KEY}`,
      'content-type': 'application/json',
      'idempotency-key': externalId,
    },
    body: JSON.stringify({ externalId, amount: '10.00', currency: 'BOB', beneficiary }),
  });
  expect(response.ok).toBe(true);
  await app.sandbox.returnPayout(externalId);
  const found = [
    { cause: 'return_unknown', difference: 0n },
    { cause: 'bank_debit_unknown', difference: -1_000n },
    { cause: 'bank_credit_unknown', difference: 1_000n },
  ] as const;
  const what = 'the bank returns a payment made outside the product';
  for (const one of found) planted.push({ ...one, what, currency: 'BOB', day, transferId: null });
}

/** Plants in the evening of a day what belongs to no transfer. */
export async function plantStrays(world: World): Promise<void> {
  const { day } = world.clock;
  if (world.session.kind !== 'evening') return;
  for (const [number, at, body, found] of strays) {
    if (monthDays[number] !== day) continue;
    if (at === 'stripe') await atStripe(world, body);
    else await atBank(world, { day, ...body });
    world.planted.push({ ...found, day, what: strayNames[found.cause] ?? found.cause, transferId: null });
  }
  if (day === monthDays[foreignDay]) await plantForeignReturn(world);
  if (day === monthDays.at(-1)) {
    await atStripe(world, { kind: 'stripe_fee', amount: Number(accountFee), currency: 'eur' });
    world.books.add({ day, currency: 'EUR', part: 'processor', minor: -accountFee, transferId: null });
  }
}
