import type { Database } from '#platform/database/database';
import { GroupCommit } from '#platform/database/group-commit';
import { currentRequestId } from '#platform/request-id';
import { currentTraceparent } from '#platform/telemetry/tracing';
import type { PostingRow } from './ledger.repository.ts';
import { type ChangeRow, changeName, changeTransfers, type TransferChange } from './move.repository.ts';
import type { Transfer } from './transfer.repository.ts';

/** One transfer's part of a change. */
interface Part {
  readonly row: ChangeRow;
  readonly at: Date;
  readonly postings?: readonly PostingRow[];
}

type Groups = Map<string, GroupCommit<Part, Transfer | null>>;

const groupsOf = new WeakMap<Database, Groups>();

/**
 * Makes a change of a transfer as it was read before. Those that ask for the same change while one is under way share the next statement
 * and its commit. Null, with nothing written, where somebody else has changed the transfer meanwhile. @throws when it cannot be
 * written, also alone.
 */
export function changeTogether(database: Database, change: TransferChange, part: Part): Promise<Transfer | null> {
  const groups: Groups = groupsOf.get(database) ?? new Map();
  groupsOf.set(database, groups);
  const name = changeName(change, [part.row]);
  const group = groups.get(name) ?? new GroupCommit((parts) => write(database, change, parts));
  groups.set(name, group);
  // Those of several requests share a statement.
  const [requestId, traceparent] = [currentRequestId() ?? null, currentTraceparent()];
  return group.add({ ...part, row: { ...part.row, requestId, ...(traceparent && { traceparent }) } });
}

async function write(
  database: Database,
  change: TransferChange,
  parts: readonly Part[],
): Promise<readonly (Transfer | null)[]> {
  // Of two that ask for the same transfer one is first. Rows in the same order in every process, so that none wait in a circle.
  const firsts = new Map(parts.toReversed().map((part) => [part.row.read.id, part]));
  const rows = [...firsts.values()].map(({ row }) => row).sort((a, b) => (a.read.id < b.read.id ? -1 : 1));
  const at = new Date(Math.max(...parts.map((part) => part.at.getTime())));
  const postings = [...firsts.values()].flatMap((part) => part.postings ?? []);
  const changed = await database.statement((em) => changeTransfers(em, change, rows, { at, postings }));
  const transfers = new Map(changed.map(({ transfer }) => [transfer.id, transfer]));
  return parts.map((part) => {
    const { id } = part.row.read;
    return (firsts.get(id) === part && transfers.get(id)) || null;
  });
}
