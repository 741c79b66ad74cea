import type { Redis } from 'ioredis';
import type { PersonalData } from '../personal-data.ts';

/** What encrypts events while they wait in Redis. */
export type Sealing = Pick<PersonalData, 'seal' | 'open'>;

/** Binds what is encrypted to its place. */
const place = 'live';
/** The field of a stream's entry that holds an event; the others name process, namespace and type. */
const eventField = 'data';
/** Unparsable content, which the adapter skips. */
const unreadable = '{';

type Entry = [id: string, fields: string[]];

/**
 * Encrypts the events in the adapter's streams: entries far outlive their event, may be on the disk of Redis, and name
 * people. Unencrypted entries of a previous version are still read; a process of that version skips encrypted ones.
 */
export function sealStreams(redis: Redis, sealing: Sealing): void {
  const add = redis.xadd.bind(redis) as unknown as (parts: unknown[]) => Promise<string | null>;
  // The adapter hands over all parts as one list.
  redis.xadd = ((parts: unknown[]) => add(sealed(parts, sealing))) as never;
  const duplicate = redis.duplicate.bind(redis);
  redis.duplicate = (options) => {
    const copy = duplicate(options);
    const read = copy.xread.bind(copy) as unknown as (...parts: unknown[]) => Promise<[string, Entry[]][] | null>;
    copy.xread = (async (...parts: unknown[]) => {
      const found = await read(...parts);
      const opening = found?.map(async ([stream, entries]) => {
        return [stream, await Promise.all(entries.map((entry) => opened(entry, sealing)))];
      });
      return opening ? Promise.all(opening) : null;
    }) as never;
    return copy;
  };
}

function sealed(parts: readonly unknown[], sealing: Sealing): unknown[] {
  const at = parts.indexOf(eventField) + 1;
  return at === 0 ? [...parts] : parts.with(at, sealing.seal(String(parts[at]), place));
}

async function opened([id, fields]: Entry, sealing: Sealing): Promise<Entry> {
  const at = fields.indexOf(eventField) + 1;
  const event = fields[at] ?? '';
  if (at === 0 || event.startsWith('{')) return [id, fields];
  return [id, fields.with(at, await sealing.open(event, place).catch(() => unreadable))];
}
