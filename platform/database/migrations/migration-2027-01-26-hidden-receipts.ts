import { createHash } from 'node:crypto';
import { Migration } from '@mikro-orm/migrations';

/**
 * Receipts of before state identity number and phone of who was paid, which a paper's facts leave out since they are encrypted elsewhere. The owner of
 * the table alone can change what was issued; the hash of the facts follows, that of a delivered file stays.
 */
export class HiddenReceipts extends Migration {
  override async up(): Promise<void> {
    await this.execute('alter table paper disable trigger paper_append_only');
    let last = '';
    for (;;) {
      const rows = (await this.execute(
        `select code, facts from paper where kind = 'receipt' and code > ? and facts -> 'receipt' -> 'recipient' ->> 'ci' <> '${hidden}'
         order by code limit 500`,
        [last],
      )) as { code: string; facts: Facts }[];
      for (const { code, facts } of rows) {
        const { recipient } = facts.receipt;
        const receipt = { ...facts.receipt, recipient: { ...recipient, ci: hidden, phone: hidden } };
        const changed = { ...facts, receipt };
        const hash = createHash('sha256').update(canonical(changed)).digest('hex');
        await this.execute('update paper set facts = ?::jsonb, facts_hash = ? where code = ?', [
          ...[JSON.stringify(changed), hash, code],
        ]);
      }
      const end = rows.at(-1);
      if (!end) break;
      last = end.code;
    }
    await this.execute('alter table paper enable trigger paper_append_only');
  }
}

interface Facts {
  readonly receipt: { readonly recipient: object };
}

const hidden = '•••';

/** As the hash of a paper's facts was computed when this was written. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`)
    .join(',')}}`;
}
