import { createHash } from 'node:crypto';
import type { AuditVerification } from '#core/contracts/http/audit';
import type { Database } from '#platform/database/database';

/** Links read at a time. */
const batchSize = 2000;

interface Link {
  readonly position: string;
  readonly hash: string;
  readonly entry_id: string;
  /** The fields of the entry in the order in which they are hashed; null when there is no such entry. */
  readonly fields: (string | null)[] | null;
}

/** The end of the chain as an auditor recorded it earlier: position and hash. */
export interface Anchor {
  readonly position: number;
  readonly hash: string;
}

/**
 * Recomputes the audit log's hash chain from first to last link, with our code instead of the database's, and reports
 * the first row that does not match. `anchor` must still match; without one, a chain that was truncated, or rewritten
 * from some row to its end, looks valid.
 */
export async function verifyAudit(database: Database, anchor: Anchor | null = null): Promise<AuditVerification> {
  let position = 0;
  let hash = '';
  let isAnchored = anchor === null;
  const broken = (at: { position: number | null; entry_id: string | null }, problem: Problem): AuditVerification => ({
    ...{ checked: position, head_hash: hash === '' ? null : hash },
    broken: { ...at, problem },
  });
  for (;;) {
    const links = await readLinks(database, position);
    for (const link of links) {
      const here = { position: Number(link.position), entry_id: link.entry_id };
      if (here.position !== position + 1) return broken({ position: position + 1, entry_id: null }, 'link_missing');
      if (!link.fields) return broken(here, 'entry_missing');
      if (hashOf([link.position, hash, ...link.fields]) !== link.hash) return broken(here, 'changed');
      if (here.position === anchor?.position) {
        isAnchored = link.hash === anchor.hash;
        if (!isAnchored) return broken(here, 'rewritten');
      }
      position = here.position;
      hash = link.hash;
    }
    if (links.length < batchSize) break;
  }
  if (!isAnchored && anchor) return broken({ position: anchor.position, entry_id: null }, 'link_missing');
  const [unlinked] = await database
    .fork()
    .execute<{ id: string }[]>(
      `select id from audit_entry where not exists (select from audit_chain where entry_id = audit_entry.id) limit 1`,
    );
  if (unlinked) return broken({ position: null, entry_id: unlinked.id }, 'unlinked');
  return { checked: position, head_hash: hash === '' ? null : hash, broken: null };
}

type Problem = NonNullable<AuditVerification['broken']>['problem'];

/** The next links after a position, each with the current content of its entry. */
function readLinks(database: Database, after: number): Promise<Link[]> {
  return database.fork().execute<Link[]>(
    `select position::text, hash, entry_id::text,
       case when entry.id is not null then array[
         entry.id::text, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
         kind, actor_id::text, actor_role, subject, detail, network
       ] end as fields
     from audit_chain left join audit_entry as entry on entry.id = entry_id
     where position > ? order by audit_chain.position limit ?`,
    [after, batchSize],
  );
}

/**
 * SHA-256, in hex, of the canonical text of a link: a JSON array of strings and nulls with ", " between them, as PostgreSQL's
 * json_build_array writes it: position, hash of the link before (empty for the first), then the fields of the entry.
 */
function hashOf(fields: readonly (string | null)[]): string {
  return createHash('sha256')
    .update(`[${fields.map((field) => JSON.stringify(field)).join(', ')}]`)
    .digest('hex');
}
