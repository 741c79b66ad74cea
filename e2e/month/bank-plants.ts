import type { Cause } from '#core/reconciliation/cause';
import { bolivianDays, isBusinessDay, nextBusinessDay } from '#core/time/business-days';
import { atBank, type Carrier, type Found, type Plant } from './planting.ts';
import { bolivianosIn, type Sent } from './world.ts';

type BankRecord = 'payout' | 'return';

/** The bank books on working days alone. */
const bookedOn = (day: string): string => (isBusinessDay(day, bolivianDays) ? day : nextBusinessDay(day, bolivianDays));

/** The same four things may happen to each movement of the bank. */
function bankPlants(record: BankRecord, carrier: Carrier): Plant[] {
  const base = (sent: Sent) => ({ externalId: sent.id, record });
  const signed = (sent: Sent) => (record === 'payout' ? -bolivianosIn(sent) : bolivianosIn(sent));
  const found = (cause: string, difference: bigint, day: string): Found => ({
    ...{ cause: `${record}_${cause}` as Cause, difference, currency: 'BOB', day },
  });
  return [
    {
      what: `the bank lists no ${record}`,
      carrier,
      plant: async (world, sent) => {
        await atBank(world, { kind: 'missing', ...base(sent) });
        return found('missing', -signed(sent), world.clock.day);
      },
    },
    {
      what: `the bank lists a ${record} twice`,
      carrier,
      plant: async (world, sent) => {
        await atBank(world, { kind: 'doubled', ...base(sent) });
        return found('doubled', signed(sent), bookedOn(world.clock.day));
      },
    },
    {
      what: `the bank lists another amount of a ${record}`,
      carrier,
      plant: async (world, sent) => {
        await atBank(world, { kind: 'amount', byCents: -700, ...base(sent) });
        return found('amount_differs', -700n, bookedOn(world.clock.day));
      },
    },
    {
      what: `the bank lists a ${record} too late`,
      carrier,
      plant: async (world, sent) => {
        const booked = bookedOn(world.clock.day);
        const day = nextBusinessDay(nextBusinessDay(world.clock.day, bolivianDays), bolivianDays);
        const days = (Date.parse(day) - Date.parse(booked)) / 86_400_000;
        await atBank(world, { kind: 'day', days, ...base(sent) });
        return found('day_differs', 0n, day);
      },
    },
  ];
}

const otherBankPlants: Plant[] = [
  {
    what: 'the bank rounds a payout up',
    carrier: 'completed',
    plant: async (world, sent) => {
      await atBank(world, { kind: 'amount', externalId: sent.id, byCents: -1 });
      return { cause: 'payout_rounding', difference: -1n, currency: 'BOB', day: bookedOn(world.clock.day) };
    },
  },
  {
    what: 'the bank gives a payout another number',
    carrier: 'completed',
    plant: async (world, sent) => {
      await atBank(world, { kind: 'reference', externalId: sent.id, reference: 'BO0000000000' });
      return { cause: 'payout_reference_differs', difference: 0n, currency: 'BOB', day: bookedOn(world.clock.day) };
    },
  },
  {
    what: 'the bank records a payout with an instruction in dollars',
    carrier: 'completed',
    plant: async (world, sent) => {
      await atBank(world, { kind: 'currency', externalId: sent.id, currency: 'USD', byCents: -9_000 });
      const day = bookedOn(world.clock.day);
      return { cause: 'bank_currency_differs', difference: -9_000n, currency: 'BOB', day };
    },
  },
  {
    what: 'the bank pays a transfer that was rejected',
    carrier: 'rejected',
    plant: async (world, sent) => {
      const day = bookedOn(world.clock.day);
      const minor = -bolivianosIn(sent);
      await atBank(world, { kind: 'extra', day, cents: Number(minor), externalId: sent.id });
      return { cause: 'payout_unbooked', difference: minor, currency: 'BOB', day };
    },
  },
  {
    what: 'the bank gives money back that it paid',
    carrier: 'completed',
    plant: async (world, sent) => {
      const day = bookedOn(world.clock.day);
      const minor = bolivianosIn(sent);
      await atBank(world, { kind: 'extra', day, cents: Number(minor), externalId: sent.id });
      return { cause: 'return_unbooked', difference: minor, currency: 'BOB', day };
    },
  },
];

/** All differences that can be planted at the bank. */
export const allBankPlants: readonly Plant[] = [
  ...bankPlants('payout', 'completed'),
  ...bankPlants('return', 'returned'),
  ...otherBankPlants,
];
