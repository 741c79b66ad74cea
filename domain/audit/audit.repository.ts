import { randomUUID } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { stringify } from 'csv-stringify';
import type { AuditKind } from '#core/audit/kinds';
import type { AuditEntryView, AuditFilter } from '#core/contracts/http/audit';
import { shiftDay, startOfDay } from '#core/reconciliation/days';
import { currentCaller } from '#platform/caller';
import type { Database, EntityManager } from '#platform/database/database';
import { type PageQuery, pageOptions, toPage } from '#platform/database/pages';
import { AuditEntry } from './audit.entity.ts';

/** What an entry contains apart from actor and time. */
interface EntryContent {
  /** Id of its subject. */
  readonly subject?: string | null;
  /** Codes and figures, no personal data. */
  readonly detail?: Readonly<Record<string, unknown>>;
  /** The actor, if it is not the caller. */
  readonly actor?: { readonly id: string; readonly role: string };
}

/**
 * Writes an entry of the audit log in the transaction of `em`, so that it is stored exactly if the action is committed.
 * Actor and network are the caller's (platform/caller.ts), and the system's in jobs and commands.
 */
export async function writeAudit(
  em: EntityManager,
  kind: AuditKind,
  { subject = null, detail = {}, actor }: EntryContent = {},
): Promise<void> {
  em.persist(em.create(AuditEntry, { id: randomUUID(), kind, subject, ...auditBy(detail, actor) }));
  await em.flush();
  audited(kind);
}

/** An entry without kind and subject, as of now, with the caller as default actor. */
export function auditBy(detail: NonNullable<EntryContent['detail']>, actor?: EntryContent['actor']) {
  const caller = currentCaller();
  return {
    at: new Date(),
    detail: JSON.stringify(detail, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
    network: caller?.network ?? null,
    actorId: actor?.id ?? caller?.personId ?? null,
    actorRole: actor?.role ?? caller?.role ?? null,
  };
}

/** Notes that the current call wrote an entry. */
export function audited(kind: AuditKind): void {
  currentCaller()?.written.add(kind);
}

/** Notes that the call requested the current state: nothing changes, so nothing has to be audited. */
export function nothingToAudit(kind: AuditKind): void {
  currentCaller()?.written.add(kind);
}

/** A page of the audit log, newest first. @throws Failure `invalid_input` for a foreign cursor. */
export async function findAuditPage(
  em: EntityManager,
  { cursor, limit, ...filter }: PageQuery & AuditFilter,
): Promise<{ items: AuditEntryView[]; nextCursor: string | null }> {
  const orderBy = { at: 'desc', id: 'desc' } as const;
  const options = { where: conditionsOf(filter), orderBy, ...pageOptions({ cursor, limit }, 'created') };
  const { rows, nextCursor } = toPage(await em.findByCursor(AuditEntry, options));
  const names = await findNames(em, rows);
  const positions = await findPositions(em, rows);
  return {
    items: rows.map((row) => ({
      ...{ id: row.id, position: positions.get(row.id) ?? null, at: row.at.toISOString(), kind: row.kind },
      actor_id: row.actorId ?? null,
      actor_name: names.get(row.actorId ?? '') ?? null,
      actor_role: row.actorRole ?? null,
      ...{ subject: row.subject ?? null, detail: row.detail, network: row.network ?? null },
    })),
    nextCursor,
  };
}

/** Days are those of La Paz. */
function conditionsOf({ actor, kind, subject, from, to }: AuditFilter) {
  return {
    ...(actor && { actorId: actor }),
    ...(kind && { kind }),
    ...(subject && { subject }),
    ...((from || to) && {
      at: { ...(from && { $gte: startOfDay(from) }), ...(to && { $lt: startOfDay(shiftDay(to, 1)) }) },
    }),
  };
}

/** Names of who made entries, by their ids. Read here, because the accounts write to the audit log themselves. */
async function findNames(em: EntityManager, rows: readonly AuditEntry[]): Promise<Map<string, string>> {
  const ids = [...new Set(rows.flatMap(({ actorId }) => actorId ?? []))];
  const people = await em.execute<{ id: string; name: string }[]>(
    'select id, name from app_user where id = any (?::uuid[])',
    [`{${ids.join(',')}}`],
  );
  return new Map(people.map(({ id, name }) => [id, name]));
}

/** Positions in the chain by the ids of entries. */
async function findPositions(em: EntityManager, rows: readonly AuditEntry[]): Promise<Map<string, number>> {
  if (rows.length === 0) return new Map();
  const places = await em.execute<{ entry_id: string; position: string }[]>(
    `select entry_id, position from audit_chain where entry_id in (${rows.map(() => '?').join(', ')})`,
    rows.map(({ id }) => id),
  );
  return new Map(places.map((row) => [row.entry_id, Number(row.position)]));
}

/** Rows read at a time, which bounds memory use. */
const batchSize = 1000;

/** The audit log as CSV, newest first. */
export function auditCsv(database: Database, filter: AuditFilter): Readable {
  const columns = ['position', 'at', 'kind', 'actor_id', 'actor_role', 'subject', 'detail', 'network'] as const;
  async function* lines(): AsyncGenerator<(string | null)[]> {
    const conditions = conditionsOf(filter);
    let last: AuditEntry | undefined;
    do {
      const em = database.fork();
      // The first bound lets the index scan start where the last batch ended.
      const after = last && {
        at: { $lte: last.at },
        $or: [{ at: { $lt: last.at } }, { at: last.at, id: { $lt: last.id } }],
      };
      const where = { $and: [conditions, ...(after ? [after] : [])] };
      const rows = await em.find(AuditEntry, where, { orderBy: { at: 'desc', id: 'desc' }, limit: batchSize });
      const positions = await findPositions(em, rows);
      for (const row of rows) {
        yield [
          ...[String(positions.get(row.id) ?? ''), row.at.toISOString(), row.kind, row.actorId ?? null],
          ...[row.actorRole ?? null, row.subject ?? null, row.detail, row.network ?? null],
        ];
      }
      last = rows.length < batchSize ? undefined : rows.at(-1);
    } while (last);
  }
  const csv = stringify({ header: true, columns: [...columns], bom: true, record_delimiter: 'windows' });
  return pipeline(Readable.from(lines()), csv, () => {}) as unknown as Readable;
}
