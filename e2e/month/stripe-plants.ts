import type { Cause } from '#core/reconciliation/cause';
import { shiftDay } from '#core/reconciliation/days';
import { disputeFee, processorFeeOf } from './books.ts';
import { atStripe, type Carrier, type Found, type Plant } from './planting.ts';
import { noteFeeCorrection, type Sent, type World } from './world.ts';

type StripeMovement = 'charge' | 'refund' | 'dispute';

/** What a movement of Stripe changed there, and what Stripe took for it. */
function stripeAmounts(sent: Sent, movement: StripeMovement): { minor: bigint; fee: bigint } {
  if (movement === 'charge') return { minor: sent.amount, fee: processorFeeOf(sent.amount) };
  return { minor: -sent.amount, fee: movement === 'dispute' ? disputeFee : 0n };
}

/** The same four things may happen to each movement of Stripe. */
function stripePlants(movement: StripeMovement, carrier: Carrier): Plant[] {
  const base = (sent: Sent) => ({ payment_intent: sent.intentId, movement });
  const found = (world: World, sent: Sent, cause: string, difference: bigint, day = world.clock.day): Found => ({
    ...{ cause: `${movement}_${cause}` as Cause, difference, currency: sent.currency, day },
  });
  return [
    {
      what: `Stripe lists no ${movement}`,
      carrier,
      plant: async (world, sent) => {
        await atStripe(world, { kind: 'missing', ...base(sent) });
        const { minor, fee } = stripeAmounts(sent, movement);
        noteFeeCorrection(world, sent, fee);
        return found(world, sent, 'missing', -minor);
      },
    },
    {
      what: `Stripe lists a ${movement} twice`,
      carrier,
      plant: async (world, sent) => {
        await atStripe(world, { kind: 'doubled', ...base(sent) });
        const { minor, fee } = stripeAmounts(sent, movement);
        noteFeeCorrection(world, sent, -fee);
        return found(world, sent, 'doubled', minor);
      },
    },
    {
      what: `Stripe lists another amount of a ${movement}`,
      carrier,
      plant: async (world, sent) => {
        const by = -300n;
        await changeAmount(world, sent, movement, by);
        return found(world, sent, 'amount_differs', by);
      },
    },
    {
      what: `Stripe lists a ${movement} three days late`,
      carrier,
      plant: async (world, sent) => {
        await atStripe(world, { kind: 'day', days: 3, ...base(sent) });
        const { fee } = stripeAmounts(sent, movement);
        const day = shiftDay(world.clock.day, 3);
        noteFeeCorrection(world, sent, fee);
        noteFeeCorrection(world, sent, -fee, { day });
        return found(world, sent, 'day_differs', 0n, day);
      },
    },
  ];
}

/** Stripe's amount differs, and its fee is that of the other amount. */
async function changeAmount(world: World, sent: Sent, movement: StripeMovement, by: bigint): Promise<void> {
  const base = { payment_intent: sent.intentId, movement };
  await atStripe(world, { kind: 'amount', by: Number(by), ...base });
  if (movement !== 'charge') return;
  const fee = processorFeeOf(sent.amount);
  const other = processorFeeOf(sent.amount + by);
  if (other === fee) return;
  await atStripe(world, { kind: 'fee', by: Number(other - fee), ...base });
  noteFeeCorrection(world, sent, fee - other);
}

const otherStripePlants: Plant[] = [
  {
    what: 'Stripe lists a charge in another currency',
    carrier: 'completed',
    plant: async (world, sent) => {
      const { currency, amount } = sent;
      const other = currency === 'EUR' ? 'USD' : 'EUR';
      const body = { kind: 'currency', payment_intent: sent.intentId, currency: other === 'EUR' ? 'eur' : 'usd' };
      await atStripe(world, body);
      const fee = processorFeeOf(amount);
      noteFeeCorrection(world, sent, fee);
      noteFeeCorrection(world, sent, -fee, { currency: other });
      const { day } = world.clock;
      const cause = 'stripe_currency_differs';
      return [
        { cause, difference: -amount, currency, day },
        { cause, difference: amount, currency: other, day },
      ];
    },
  },
  {
    what: 'Stripe rounds a conversion down',
    carrier: 'completed',
    plant: async (world, sent) => {
      await changeAmount(world, sent, 'charge', -1n);
      return { cause: 'stripe_rounding', difference: -1n, currency: sent.currency, day: world.clock.day };
    },
  },
  {
    what: 'Stripe takes another fee than its list says',
    carrier: 'completed',
    plant: async (world, sent) => {
      await atStripe(world, { kind: 'fee', by: 17, payment_intent: sent.intentId });
      noteFeeCorrection(world, sent, -17n);
      return { cause: 'fee_changed', difference: 0n, currency: sent.currency, day: world.clock.day };
    },
  },
];

/** An unrequested movement at Stripe, for a transfer without another one of its kind. */
function unbookedPlant(movement: StripeMovement, carrier: Carrier): Plant {
  return {
    what: `Stripe lists an unrequested ${movement}`,
    carrier,
    plant: async (world, sent) => {
      await atStripe(world, { kind: 'unbooked', payment_intent: sent.intentId, movement });
      const { minor, fee } = stripeAmounts(sent, movement);
      noteFeeCorrection(world, sent, -fee);
      const { day } = world.clock;
      return { cause: `${movement}_unbooked`, difference: minor, currency: sent.currency, day };
    },
  };
}

const overdueRefund: Plant = {
  what: 'a refund neither succeeds nor fails until the month is over',
  carrier: 'refunding',
  plant: async ({ clock }, { amount, currency }) => {
    return { cause: 'refund_overdue', difference: -amount, currency, day: clock.day };
  },
};

/** All differences that can be planted at Stripe. */
export const allStripePlants: readonly Plant[] = [
  ...stripePlants('charge', 'completed'),
  ...stripePlants('refund', 'refunded'),
  ...stripePlants('dispute', 'disputed'),
  ...otherStripePlants,
  unbookedPlant('charge', 'rejected'),
  unbookedPlant('refund', 'completed'),
  unbookedPlant('dispute', 'completed'),
  overdueRefund,
];
