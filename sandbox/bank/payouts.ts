/**
 * The simulated partner bank in Bolivia: pays or rejects at once or later, returns a reference, and never pays twice for one `externalId`.
 */
import { randomInt } from 'node:crypto';
import { z } from 'zod';
import type { SandboxContext } from '../context.ts';
import { newId } from '../ids.ts';
import { inputDigest } from '../server/idempotency.ts';
import { nameModes } from './names.ts';

export interface Payout {
  id: string;
  externalId: string;
  status: 'paid' | 'rejected' | 'pending';
  /** The bank's number of the deposit; null unless paid. */
  reference: string | null;
  rejection: { code: string; message: string } | null;
  amount: string;
  /** What of it came back later, such as `0.00`. */
  returnedAmount: string;
  currency: string;
  /** ISO 8601, sandbox time. */
  createdAt: string;
  /** When it was paid or rejected, or will be; null while that is left to a control route. ISO 8601, sandbox time. */
  settledAt: string | null;
}

type Rejection = NonNullable<Payout['rejection']>;

/** How a payout ends; kept with it from the beginning, shown from `settledAt` on. */
interface Result {
  reference: string | null;
  rejection: Rejection | null;
}

const text = z.string().trim().min(1).max(200);
export const payoutSchema = z.strictObject({
  externalId: text,
  amount: z
    .string()
    .regex(/^(0|[1-9]\d{0,11})\.\d{2}$/)
    .refine((amount) => amount !== '0.00', 'must be positive'),
  currency: z.literal('BOB'),
  beneficiary: z.strictObject({
    name: text,
    ci: text,
    bankName: text,
    bankAccount: text,
    phone: z.string().trim().max(40).nullish(),
    city: z.string().trim().max(200).nullish(),
  }),
});
export type PayoutOrder = z.infer<typeof payoutSchema>;

export class BankError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }

  body(): { code: string; message: string } {
    return { code: this.code, message: this.message };
  }
}

export const bankModeSchema = z.strictObject({
  /** How many of the next payouts are rejected. */
  rejectNext: z.int().min(0).max(10_000).default(0),
  rejection: z
    .strictObject({ code: z.string().max(60), message: z.string().max(300) })
    .default({ code: 'account_not_found', message: 'La cuenta de destino no existe.' }),
  /** How many of the next payouts are accepted without a result yet. What rejects a payout then is its result. */
  pendNext: z.int().min(0).max(10_000).default(0),
  /** After how many milliseconds of sandbox time such a payout has its result; null: once a control route says so. */
  pendForMs: z
    .int()
    .min(0)
    .max(30 * 86_400_000)
    .nullable()
    .default(null),
  /** How long every answer takes, in milliseconds. */
  slowMs: z.int().min(0).max(120_000).default(0),
  /** Days of La Paz without statements: their payments and returns are in the statement of the next open day. */
  closedOn: z.array(z.iso.date()).max(400).default([]),
  /** Its answer about account holders. */
  names: z.enum(nameModes).default('holder'),
});
export type BankMode = z.infer<typeof bankModeSchema>;

const SETTING = 'bank_mode';

export function bankMode(context: SandboxContext): BankMode {
  return bankModeSchema.parse(context.storage.setting(SETTING, {}));
}

export function setBankMode(context: SandboxContext, mode: BankMode): void {
  context.storage.setSetting(SETTING, mode);
}

/** The mode's outcome for the next payout, which uses up one of each: the rejection, and the time of the result. */
function takeAnswer(context: SandboxContext): { rejection: Rejection | null; settledAt: string | null } {
  const mode = bankMode(context);
  const { rejectNext, pendNext, pendForMs } = mode;
  setBankMode(context, { ...mode, rejectNext: Math.max(0, rejectNext - 1), pendNext: Math.max(0, pendNext - 1) });
  const waitMs = pendNext > 0 ? pendForMs : 0;
  return {
    rejection: rejectNext > 0 ? mode.rejection : null,
    settledAt: waitMs === null ? null : new Date(context.clock.millis() + waitMs).toISOString(),
  };
}

/** The columns for `asOfNow`: the original payout and the returned amount. */
const columns = `body, (SELECT coalesce(sum(cents), 0) FROM payout_returns AS r WHERE r.external_id = payouts.external_id)
  AS returned`;

function asOfNow({ clock }: SandboxContext, { body, returned }: Record<string, unknown>): Payout {
  // State of an earlier version has no separate result.
  const { result, ...payout } = JSON.parse(String(body)) as Payout & { result?: Result };
  const returnedAmount = (Number(returned) / 100).toFixed(2);
  const isPending = payout.settledAt === null || Date.parse(payout.settledAt) > clock.millis();
  if (!result || isPending) return { ...payout, returnedAmount };
  return { ...payout, ...result, status: result.rejection ? 'rejected' : 'paid', returnedAmount };
}

/**
 * Creates a payout, or returns the earlier one with the same key and content. Must run in a transaction. Stores no
 * beneficiary, only a keyed digest of the request. Throws BankError on conflicts.
 */
export function createPayout(
  context: SandboxContext,
  order: PayoutOrder,
  key: string,
): { payout: Payout; created: boolean } {
  const digest = inputDigest(context, JSON.stringify(order));
  const same = context.storage.one(`SELECT input, ${columns} FROM payouts WHERE idempotency_key = ?`, key);
  if (same) {
    if (same.input === digest) return { payout: asOfNow(context, same), created: false };
    throw new BankError(409, 'idempotency_conflict', 'This Idempotency-Key was used for another payout.');
  }
  if (findPayout(context, order.externalId)) {
    throw new BankError(
      409,
      'external_id_conflict',
      'A payout with this externalId exists under another Idempotency-Key.',
    );
  }
  const { rejection, settledAt } = takeAnswer(context);
  const payout: Payout = {
    ...{ id: newId('bp_'), externalId: order.externalId, status: 'pending', reference: null, rejection: null },
    ...{ amount: order.amount, returnedAmount: '0.00', currency: order.currency },
    ...{ createdAt: new Date(context.clock.millis()).toISOString(), settledAt },
  };
  const body = JSON.stringify({ ...payout, result: resultOf(rejection) });
  const sql = 'INSERT INTO payouts (external_id, idempotency_key, input, body) VALUES (?, ?, ?, ?)';
  context.storage.run(sql, order.externalId, key, digest, body);
  return { payout: asOfNow(context, { body, returned: 0 }), created: true };
}

function resultOf(rejection: Rejection | null): Result {
  return { reference: rejection ? null : `BO${String(randomInt(1e10)).padStart(10, '0')}`, rejection };
}

/** The result of a payout that is pending: rejected with these, or else paid. */
export const settlementSchema = z.strictObject({
  rejection: z.strictObject({ code: z.string().min(1).max(60), message: z.string().max(300) }).optional(),
});

/** Sets the result of a pending payout. Must run in a transaction. @throws BankError when it is not pending. */
export function settlePayout(
  context: SandboxContext,
  externalId: string,
  { rejection }: z.infer<typeof settlementSchema>,
): Payout {
  const payout = findPayout(context, externalId);
  if (payout?.status !== 'pending') throw new BankError(404, 'not_found', 'No payout with this externalId is pending.');
  const settledAt = new Date(context.clock.millis()).toISOString();
  const body = JSON.stringify({ ...payout, settledAt, result: resultOf(rejection ?? null) });
  context.storage.run('UPDATE payouts SET body = ? WHERE external_id = ?', body, externalId);
  return findPayout(context, externalId) as Payout;
}

export function findPayout(context: SandboxContext, externalId: string): Payout | undefined {
  const row = context.storage.one(`SELECT ${columns} FROM payouts WHERE external_id = ?`, externalId);
  return row && asOfNow(context, row);
}

/** Newest first. */
export function listPayouts(context: SandboxContext, limit: number): Payout[] {
  const rows = context.storage.all(`SELECT ${columns} FROM payouts ORDER BY seq DESC LIMIT ?`, limit);
  return rows.map((row) => asOfNow(context, row));
}
