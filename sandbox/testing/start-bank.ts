/** Starts the simulated bank alone, for tests of code that pays out. */
import { pino } from 'pino';
import type { z } from 'zod';
import { type BankMode, bankModeSchema, listPayouts, type Payout, setBankMode, settlePayout } from '../bank/payouts.ts';
import { type PayoutReturn, type ReturnRequest, returnPayout } from '../bank/returns.ts';
import { bankRouter } from '../bank/routes.ts';
import { addBankDifference, bankDifferenceSchema } from '../bank/statements.ts';
import { TestSimulator } from './test-simulator.ts';

const KEY = 'bank_sandbox';

export class TestBank extends TestSimulator {
  private constructor() {
    super({});
  }

  static async start(): Promise<TestBank> {
    const bank = new TestBank();
    await bank.serve('/bank', bankRouter({ context: bank.context, key: KEY, log: pino({ level: 'silent' }) }));
    return bank;
  }

  /** The product's variables for this bank. */
  get env() {
    return { BANK_API_URL: `${this.origin}/bank`, BANK_API_KEY: KEY };
  }

  /** Every payout, newest first. */
  payouts(): Payout[] {
    return listPayouts(this.context, 10_000);
  }

  /** Gives a payout that is pending its result: rejected with these, or else paid. */
  settle(externalId: string, rejection?: { code: string; message: string }): Payout {
    return this.context.storage.transaction(() =>
      settlePayout(this.context, externalId, rejection ? { rejection } : {}),
    );
  }

  /** Returns a payment that was made: all of it, or the amount given, such as `12.50`. */
  returnPayout(externalId: string, request: ReturnRequest = {}): PayoutReturn {
    return this.context.storage.transaction(() => returnPayout(this.context, externalId, request));
  }

  /** Makes statements differ from the bank's movements. */
  differ(difference: z.input<typeof bankDifferenceSchema>): void {
    const parsed = bankDifferenceSchema.parse(difference);
    this.context.storage.transaction(() => addBankDifference(this.context, parsed));
  }

  /** Sets how payouts are answered from now on; omitted fields get defaults. */
  setMode(mode: Partial<BankMode>): void {
    setBankMode(this.context, bankModeSchema.parse(mode));
  }
}

/** Starts a bank on a free port. */
export function startBank(): Promise<TestBank> {
  return TestBank.start();
}
