import { expect, onTestFinished, test } from 'vitest';
import { startTestCluster, testSettings } from '../../infra/testing/cluster.ts';
import { OutboxRow } from '../outbox/outbox.entity.ts';
import { Database, type EntityManager } from './database.ts';

/** A server and a standby that follows it. */
async function startPair() {
  const { server, remove } = await startTestCluster();
  onTestFinished(remove);
  const standby = await server.startStandby(testSettings);
  onTestFinished(() => standby.stop('immediate'));
  return { server, standby };
}

const count = async (em: EntityManager): Promise<[number, boolean]> => {
  const [row] = await em.execute<[{ count: number; standby: boolean }]>(
    'select count(*)::int as count, pg_is_in_recovery() as standby from note',
  );
  return [row.count, row.standby];
};

test('a read goes to the standby once that has all that was committed before, and to the database itself while it is behind or away', async () => {
  const { server, standby } = await startPair();
  const reasons: (string | null)[] = [];
  const options = { entities: [OutboxRow], poolMax: 2 };
  const replica = { url: standby.url(), onChange: (reason: string | null) => void reasons.push(reason) };
  const database = await Database.open(server.url(), { ...options, replica });
  onTestFinished(() => database.close());
  const write = () => database.transaction((em) => em.execute('insert into note default values'));
  await database.fork().execute('create table note (id int generated always as identity)');

  for (let written = 1; written <= 20; written += 1) {
    await write();
    expect(await database.read(count)).toEqual([written, true]);
  }
  expect(reasons).toEqual([]);

  const other = await Database.open(standby.url(), options);
  onTestFinished(() => other.close());
  await other.fork().execute('select pg_wal_replay_pause()');
  await write();
  expect(await database.read(count)).toEqual([21, false]);
  // It is left alone for a while, so that not every read waits for it.
  await other.fork().execute('select pg_wal_replay_resume()');
  expect(await database.read(count)).toEqual([21, false]);
  expect(reasons).toEqual(['it is too far behind']);
  await expect.poll(() => database.read(count), { timeout: 15_000 }).toEqual([21, true]);
  expect(reasons).toEqual(['it is too far behind', null]);

  // What only the database can do is done there.
  await database.read((em) => em.execute('insert into note default values'));
  expect(await count(database.fork())).toEqual([22, false]);
  await standby.stop('immediate');
  expect(await database.read(count)).toEqual([22, false]);

  // A promoted standby would have its own rows.
  const promoted = await Database.open(server.url(), { ...options, replica: { ...replica, url: server.url() } });
  onTestFinished(() => promoted.close());
  expect((await promoted.reader()).config).toBe(promoted.orm.em.config);
  expect(reasons.at(-1)).toBe('it is no standby');
});
