import pg from 'pg';

/** Queries the database directly, past the product's code. */
export async function query<Row extends pg.QueryResultRow>(
  url: string,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  // A PostgreSQL that a test stops fails the query, and must not end the process besides.
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

/** Sum of every account per currency. In a balanced ledger, all accounts of a currency together are zero. */
export async function balances(url: string): Promise<Record<string, Record<string, bigint>>> {
  const rows = await query<{ account: string; currency: string; balance: string }>(
    url,
    `select account, currency, sum(amount) as balance from (
       select source as account, currency, -amount_minor as amount from ledger_posting
       union all
       select destination, currency, amount_minor from ledger_posting
     ) lines group by account, currency`,
  );
  const result: Record<string, Record<string, bigint>> = {};
  for (const { account, currency, balance } of rows) {
    result[currency] ??= {};
    result[currency][account] = BigInt(balance);
  }
  return result;
}

/** Adds up a currency's accounts: zero in a balanced ledger. */
export function total(accounts: Record<string, bigint> = {}): bigint {
  return Object.values(accounts).reduce((sum, balance) => sum + balance, 0n);
}
