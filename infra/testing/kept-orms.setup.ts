import { MikroORM, type Options } from '@mikro-orm/postgresql';

/** Closed, to be connected to the next database. */
interface KeptOrm {
  readonly orm: MikroORM;
  readonly entities: readonly unknown[];
}

const shared = globalThis as { chasquiKeptOrms?: KeptOrm[] };

/**
 * Test files that run in the same process share MikroORM's discovered entities and compiled code, which saves a tenth
 * of a file's time. Each has its own connection.
 */
if (!shared.chasquiKeptOrms) {
  const kept: KeptOrm[] = [];
  shared.chasquiKeptOrms = kept;
  const make = MikroORM.init.bind(MikroORM) as (options: Options) => Promise<MikroORM>;

  const init = async (options: Options): Promise<MikroORM> => {
    const entities = options.entities ?? [];
    const index = kept.findIndex((one) => sameList(one.entities, entities));
    const found = index < 0 ? undefined : kept.splice(index, 1)[0]?.orm;
    const orm = found ?? (await make(options));
    if (found) await found.reconnect(connectionOf(options));
    orm.close = async (force) => {
      // Once: the method of the class is there again.
      Reflect.deleteProperty(orm, 'close');
      await orm.close(force);
      kept.push({ orm, entities });
    };
    return orm;
  };
  Object.assign(MikroORM, { init });
}

function connectionOf({ clientUrl, pool, driverOptions }: Options): Options {
  const dbName = decodeURIComponent(new URL(clientUrl ?? '').pathname).slice(1);
  return { clientUrl, dbName, pool, driverOptions } as Options;
}

const sameList = (one: readonly unknown[], other: readonly unknown[]) =>
  one.length === other.length && one.every((item, index) => item === other[index]);
