import { expect, it } from 'vitest';
import pg from 'pg';
import { createTestDatabase } from '../infra/testing/database.ts';
import { onEveryQueueBackend } from '../infra/testing/redis.ts';
it('db', async () => {
  console.time('db'); const d = await createTestDatabase(); console.timeEnd('db');
  const c = new pg.Client({ connectionString: d.url }); await c.connect();
  console.log((await c.query("select table_schema, count(*) from information_schema.tables group by 1")).rows);
  await c.end(); await d.drop();
});
onEveryQueueBackend('x', (b, start) => { it('y', async () => { const q = await start(); console.log(b, q.redisUrl); await q.close(); }); });
