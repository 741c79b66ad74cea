import type { BenchProduct } from './bench-product.ts';

/** How many statements; `payment` are those that belong to neither of the others, NOTIFY and the outbox of all three among them. */
export interface Statements {
  readonly all: number;
  readonly payment: number;
  readonly names: number;
  readonly emails: number;
}

/** With the seconds that passed. */
export type Counted = Statements & { readonly seconds: number };

/** What the check of names sends by itself, and what sending e-mails does: that they are due is written with the move. */
const partsSql = `
  case when query ~ '(insert into|update) review\\M|from review as r where r.transfer_id = t.id|order by m\\.same' then 'names'
    when query ~ '(from|update) mail\\M' then 'emails' else 'payment' end`;

/** Without what triggers run at a commit, which PostgreSQL counts too. */
const countSql = `select ${partsSql} as part, sum(calls)::int as calls from pg_stat_statements
  where query ~* '^\\s*(begin|commit|rollback|select|insert|update|delete|with|set|listen|notify)\\M'
    and query !~* '\\m(new|old)\\.|transfer_share|keep_transfer|audit_chain|bool_or\\(o\\.kind|d\\.booking' and userid = 'chasqui_runtime'::regrole
    and dbid = (select oid from pg_database where datname = current_database())
  group by part`;

async function countStatements(product: BenchProduct): Promise<Statements> {
  const { rows } = await product.sql.query<{ part: string; calls: number }>(countSql);
  const callsOf = (part: string) => rows.find((row) => row.part === part)?.calls ?? 0;
  const [payment, names, emails] = ['payment', 'names', 'emails'].map(callsOf) as [number, number, number];
  return { all: payment + names + emails, payment, names, emails };
}

/** Statements that api and worker send while some work is done. */
export async function counted(product: BenchProduct, work: () => Promise<unknown>): Promise<Counted> {
  const before = await countStatements(product);
  const started = performance.now();
  await work();
  const seconds = (performance.now() - started) / 1000;
  const after = await countStatements(product);
  const parts = ['all', 'payment', 'names', 'emails'] as const;
  const sums = Object.fromEntries(parts.map((part) => [part, after[part] - before[part]])) as unknown as Statements;
  return { ...sums, seconds };
}
