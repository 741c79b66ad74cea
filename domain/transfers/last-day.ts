import { countedUsdMinor, type DaySum, dayGroups, type LastDay } from '#core/review/last-day';
import { dayMs } from '#core/time/time';
import { paidStates } from '#core/transfers/states';
import { currentCaller } from '#platform/caller';
import { type EntityManager, runSql } from '#platform/database/database';
import { hashSecret } from '../accounts/passwords.ts';
import { accountHash } from '../personal-data/personal-data.ts';
import { sqlList } from './transfer-figures.repository.ts';

/** SQL expressions for the transfers of 24 hours that count together. */
interface Around {
  readonly sender: string;
  /** The hash of an account, and of a browser's secret. */
  readonly account: string;
  readonly device: string;
  /** The start of the 24 hours. */
  readonly since: string;
}

const paid = `o.state in (${sqlList(paidStates)})`;
/** The origin of a payment is recorded when it is opened, well within a day before the authorization. */
const ofDevice = (device: string, since: string) =>
  `payment_origin as p join transfer as o on o.id = p.transfer_id where p.device = ${device} and p.at > ${since} - interval '1 day'`;

/** SQL: the paid transfers of each group, each by an index. */
const paidSql = ({ sender, account, device, since }: Around) => ({
  sender: `select o.id, o.usd_minor from transfer as o where o.user_id = ${sender} and o.paid_at > ${since} and ${paid}`,
  account: `select o.id, o.usd_minor from transfer as o
    where o.payout_target -> 'hashes' ->> 'account' = ${account} and o.paid_at > ${since} and ${paid}`,
  device: `select o.id, o.usd_minor from ${ofDevice(device, since)} and o.paid_at > ${since} and ${paid}`,
});

const sumSql = (transfers: string) => `(
  select jsonb_build_object('count', count(*), 'usdMinor', coalesce(sum(usd_minor), 0)::text, 'largestUsdMinor', coalesce(max(usd_minor), 0)::text)
  from (${transfers}) as o)`;
const sumsSql = (groups: Readonly<Record<keyof LastDay, string>>) =>
  `jsonb_build_object(${dayGroups.map((group) => `'${group}', ${sumSql(groups[group])}`).join(', ')})`;

/** SQL: the paid transfers around a transfer `t`, including itself and later ones, as `toLastDay` reads them. */
export const lastDaySql = sumsSql(
  paidSql({
    sender: 't.user_id',
    account: `(t.payout_target -> 'hashes' ->> 'account')`,
    device: '(select device from payment_origin where transfer_id = t.id)',
    since: `(coalesce(t.paid_at, t.created_at) - interval '24 hours')`,
  }),
);

/** Sums as `lastDaySql` returns them. */
export type LastDayRow = Readonly<Record<keyof LastDay, { count: number; usdMinor: string; largestUsdMinor: string }>>;

export function toLastDay(row: LastDayRow): LastDay {
  const read = ({ count, usdMinor, largestUsdMinor }: LastDayRow['sender']): DaySum => {
    return { count, usdMinor: BigInt(usdMinor), largestUsdMinor: BigInt(largestUsdMinor) };
  };
  return { sender: read(row.sender), account: read(row.account), device: read(row.device) };
}

const readOfTransfer = `select t.usd_minor::text as usd, ${lastDaySql} as last_day from transfer as t where t.id = $1`;

/** The amount of a transfer for thresholds, in US cents. */
export async function countTransfer(em: EntityManager, transferId: string): Promise<bigint> {
  const [row] = await runSql<{ usd: string; last_day: LastDayRow }>(em, readOfTransfer, [transferId]);
  if (!row) throw new Error(`there is no transfer ${transferId}`);
  return countedUsdMinor({ usdMinor: BigInt(row.usd), lastDay: toLastDay(row.last_day) });
}

const around = { sender: '$1::uuid', account: '$2', device: '$3', since: '$4::timestamptz' };
const paidBefore = paidSql(around);
const unpaid = `o.state = 'awaiting_payment' and o.created_at > ${around.since}`;
const isAnother = '(select id, usd_minor from transfers where id is distinct from $5::uuid)';

/** Includes unpaid transfers, so that several cannot be opened first and paid together. */
const readBefore = `select ${sumsSql({
  sender: `with transfers as (${paidBefore.sender}
      union all select o.id, o.usd_minor from transfer as o where o.user_id = ${around.sender} and ${unpaid}) ${isAnother}`,
  account: `with transfers as (${paidBefore.account}) ${isAnother}`,
  device: `with transfers as (${paidBefore.device}
      union all select o.id, o.usd_minor from ${ofDevice(around.device, around.since)} and ${unpaid}) ${isAnother}`,
})} as last_day`;

/**
 * The amount for thresholds of a payment about to be made from the current caller's browser, in US cents. `transferId`:
 * if it already exists.
 */
export async function countPayment(
  em: EntityManager,
  payment: { userId: string; transferId: string | null; usdMinor: bigint; bankAccount: string; at: Date },
): Promise<bigint> {
  const { userId, transferId, usdMinor, bankAccount, at } = payment;
  const device = currentCaller()?.device;
  const [row] = await runSql<{ last_day: LastDayRow }>(em, readBefore, [
    ...[userId, accountHash(em, bankAccount), device ? hashSecret(device) : null],
    ...[new Date(at.getTime() - dayMs), transferId],
  ]);
  if (!row) throw new Error('the query of the sums returned no row');
  const lastDay = toLastDay(row.last_day);
  return usdMinor + countedUsdMinor({ usdMinor: 0n, lastDay });
}
