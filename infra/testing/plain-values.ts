import { Redis } from 'ioredis';
import pg from 'pg';

/**
 * Searches for unencrypted values: in every column of every table of a database, in any schema, or in every key of a
 * Redis, or both. Returns the names of the tables and keys; empty if everything is encrypted or absent.
 */
export async function findPlainValues(
  { databaseUrl, redisUrl }: { databaseUrl?: string; redisUrl?: string | undefined },
  values: readonly string[],
): Promise<string[]> {
  return [
    ...(databaseUrl ? await inDatabase(databaseUrl, values) : []),
    ...(redisUrl ? await inRedis(redisUrl, values) : []),
  ];
}

async function inDatabase(connectionString: string, values: readonly string[]): Promise<string[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const patterns = values.map((value) => `%${value}%`);
      const { rows } = await client.query(`select from ${name} as t where t::text like any ($1) limit 1`, [patterns]);
      if (rows.length > 0) found.push(name);
    }
    return found;
  } finally {
    await client.end();
  }
}

async function inRedis(url: string, values: readonly string[]): Promise<string[]> {
  const redis = new Redis(url);
  try {
    const keys = await redis.keys('*');
    const contents = await Promise.all(keys.map(async (key) => [key, await contentOf(redis, key)] as const));
    return contents.flatMap(([key, text]) => (values.some((value) => text.includes(value)) ? [key] : []));
  } finally {
    redis.disconnect();
  }
}

async function contentOf(redis: Redis, key: string): Promise<string> {
  const read: Readonly<Record<string, () => Promise<unknown>>> = {
    string: () => redis.get(key),
    hash: () => redis.hgetall(key),
    list: () => redis.lrange(key, 0, -1),
    set: () => redis.smembers(key),
    zset: () => redis.zrange(key, '0', '-1'),
    stream: () => redis.xrange(key, '-', '+'),
    none: async () => '',
  };
  const type = await redis.type(key);
  const content = read[type];
  if (!content) throw new Error(`${key} is a ${type}, which is not searched`);
  return JSON.stringify(await content());
}
