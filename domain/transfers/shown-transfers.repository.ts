import { IsolationLevel } from '@mikro-orm/core';
import type { TransferView } from '#core/contracts/http/transfers';
import { formatMinor } from '#core/money/money';
import { refundStateOf, returnedByBank } from '#core/transfers/refund';
import { type EntityManager, runSql } from '#platform/database/database';
import type { User } from '../accounts/account.repository.ts';
import type { Operation } from '../provider-calls/operation.repository.ts';
import { Transfer, type TransferStep } from './transfer.entity.ts';

interface Person extends Pick<User, 'name' | 'email'> {
  /** Blocked by an admin. */
  readonly blocked: boolean;
}

/** Displayed data of transfers besides their columns. */
export interface Surroundings {
  /** The timeline of each transfer, by its id. */
  readonly timelines: ReadonlyMap<string, TransferView['timeline']>;
  /** The status of the refund of each transfer that has one. */
  readonly refunds: ReadonlyMap<string, NonNullable<TransferView['refund']>>;
  /** Senders and deciding admins, by their ids. */
  readonly people: ReadonlyMap<string, Person>;
}

/** Transfers with all displayed data, as of one moment. */
export interface ShownTransfers extends Surroundings {
  readonly transfers: readonly Transfer[];
}

type Row = {
  readonly id: string;
  readonly steps: (Pick<TransferStep, 'state' | 'owner'> & { at: string })[] | null;
  readonly people: ({ readonly id: string } & Person)[];
  readonly state: Transfer['state'];
  /** Its refunds, oldest first; amounts as text. */
  readonly refunds: (Pick<Operation, 'status' | 'provider' | 'providerReference'> & { amount: string })[] | null;
};

const surroundingsSql = `
    (select jsonb_agg(jsonb_build_object('state', s.state, 'at', s.at, 'owner', s.owner) order by s.version)
       from transfer_step as s where s.transfer_id = transfer.id and (s.move is null or s.move <> all ($2::text[]))) as steps,
    (select jsonb_agg(jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email, 'blocked', u.blocked_at is not null))
       from app_user as u where u.id in (transfer.user_id, transfer.decided_by_id)) as people,
    case when transfer.state in ('refunding', 'refunded') or transfer.returned_minor > 0 then
      (select jsonb_agg(jsonb_build_object('status', o.status, 'provider', o.provider,
         'providerReference', o.provider_reference, 'amount', o.amount_minor::text) order by o.sequence)
       from operation as o where o.transfer_id = transfer.id and o.kind = 'refund' and o.status <> 'abandoned') end as refunds
    from transfer where id = any ($1::uuid[])`;

const readSurroundings = `select id, state, ${surroundingsSql}`;

/**
 * Reads transfers for a push, as of one moment, because a view with a version must have all of that version's history.
 * Skips unknown ids, and steps with the given names.
 */
export async function findShownTransfers(
  em: EntityManager,
  ids: readonly string[],
  { without }: { without: readonly string[] },
): Promise<ShownTransfers> {
  return em.fork().transactional(
    async (each) => {
      const transfers = await each.find(Transfer, { id: { $in: [...ids] } });
      return { transfers, ...(await findSurroundings(each, transfers, { without })) };
    },
    { isolationLevel: IsolationLevel.REPEATABLE_READ, readOnly: true },
  );
}

/** Reads the additional displayed data of transfers that were already read. Skips steps with the given names. */
export async function findSurroundings(
  em: EntityManager,
  transfers: readonly Transfer[],
  { without }: { without: readonly string[] },
): Promise<Surroundings> {
  if (transfers.length === 0) return surroundingsOf([]);
  const ids = transfers.map(({ id }) => id);
  return surroundingsOf(await runSql<Row>(em, readSurroundings, [ids, without]));
}

function surroundingsOf(rows: readonly Row[]): Surroundings {
  const timelines = new Map<string, TransferView['timeline']>();
  const people = new Map<string, Row['people'][number]>();
  const refunds = new Map<string, NonNullable<TransferView['refund']>>();
  for (const { id, state, steps, people: known, refunds: made } of rows) {
    const refund = toRefundView(state, made ?? []);
    if (refund) refunds.set(id, refund);
    timelines.set(
      id,
      (steps ?? []).map(({ state, at, owner }) => ({ state, at: new Date(at).toISOString(), owner })),
    );
    for (const person of known) people.set(person.id, person);
  }
  return { timelines, refunds, people };
}

function toRefundView(of: Row['state'], made: NonNullable<Row['refunds']>): TransferView['refund'] {
  const facts = made.map(({ amount, ...one }) => ({ ...one, amountMinor: BigInt(amount) }));
  const [state, newest] = [refundStateOf(of, facts), facts.at(-1)];
  if (!state || !newest) return null;
  const byBank = formatMinor(returnedByBank(facts));
  // The reference of a card refund is Stripe's, which means nothing to a sender.
  return newest.provider === 'manual'
    ? { channel: 'bank', state, byBank, reference: newest.providerReference ?? null }
    : { channel: 'card', state, byBank, reference: null };
}
