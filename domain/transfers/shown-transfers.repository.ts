import type { TransferView } from '#core/contracts/http/transfers';
import { type EntityManager, type PreparedStatement, runPrepared } from '#platform/database/database';
import type { User } from '../accounts/account.repository.ts';
import { Transfer, type TransferStep } from './transfer.entity.ts';
import { transferColumns } from './transfer.repository.ts';
import type { People, Timelines } from './transfer-views.ts';

/** Transfers with all that is shown of them, as of one moment. */
export interface ShownTransfers {
  readonly transfers: readonly Transfer[];
  readonly timelines: Timelines;
  readonly people: People;
}

type Row = {
  readonly steps: (Pick<TransferStep, 'state' | 'owner'> & { at: string })[];
  readonly people: Pick<User, 'id' | 'name' | 'email'>[];
};

const statement: PreparedStatement = {
  name: 'shown-transfers',
  text: `select ${transferColumns},
    (select jsonb_agg(jsonb_build_object('state', s.state, 'at', s.at, 'owner', s.owner) order by s.version)
       from transfer_step as s where s.transfer_id = transfer.id and (s.move is null or s.move <> all ($2::text[]))) as steps,
    (select jsonb_agg(jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email))
       from app_user as u where u.id in (transfer.user_id, transfer.decided_by_id)) as people
    from transfer where id = any ($1::uuid[])`,
};

/**
 * Reads transfers to push them: by one statement, because a browser waits, and because a view with a version must have all of that
 * version's history. Steps of the names given are left out; unknown ids too.
 */
export async function findShownTransfers(
  em: EntityManager,
  ids: readonly string[],
  { without }: { without: readonly string[] },
): Promise<ShownTransfers> {
  const rows = await runPrepared<Row>(em, statement, [ids, without]);
  const timelines = new Map<string, TransferView['timeline']>();
  const people = new Map<string, Row['people'][number]>();
  const transfers = rows.map(({ steps, people: known, ...row }) => {
    const transfer = em.map(Transfer, row);
    timelines.set(
      transfer.id,
      steps.map(({ state, at, owner }) => ({ state, at: new Date(at).toISOString(), owner })),
    );
    for (const person of known) people.set(person.id, person);
    return transfer;
  });
  return { transfers, timelines, people };
}
