import { createAdapter as createPostgresAdapter } from '@socket.io/postgres-adapter';
import { createAdapter as createRedisAdapter } from '@socket.io/redis-streams-adapter';
import { Redis } from 'ioredis';
import { Client, Pool } from 'pg';
import { Server } from 'socket.io';
import type { ServerToBrowser } from '#core/contracts/live';
import type { ConnectionConfiguration } from '../configuration/variables.ts';
import type { Logger } from '../logging.ts';
import { groupNotify } from './grouped-notify.ts';
import type { Emit } from './push.ts';
import { type Sealing, sealStreams } from './sealed-streams.ts';

/** PostgreSQL's NOTIFY takes less than 8000 bytes; larger events go through a table. */
const notifyBytesMax = 7500;

/**
 * How often the adapter says that it is there, takes others for gone, and deletes large events that were read, in ms. Nothing of ours
 * asks how many processes there are, and each of these wakes every listening connection.
 */
const quietTimes = { heartbeatInterval: 60_000, heartbeatTimeout: 150_000, cleanupInterval: 300_000 };

type AdapterFactory = Parameters<Server['adapter']>[0];

/** The Socket.IO adapter that joins every process, by the same rule as the queues, with its connections to close. */
export interface LiveAdapter {
  readonly adapter: NonNullable<AdapterFactory>;
  close(): Promise<void>;
}

/** Opens the adapter's connections: Redis streams, encrypted by `sealing`, when `REDIS_URL` is given, else PostgreSQL's LISTEN/NOTIFY, which stores nothing. */
export function openLiveAdapter(env: ConnectionConfiguration, log: Logger, sealing: Sealing): LiveAdapter {
  const onError = (error: Error) => log.warn({ err: error }, 'the live connection had trouble; it reconnects');
  if (env.redisUrl) {
    const redis = new Redis(env.redisUrl, { maxRetriesPerRequest: null });
    redis.on('error', onError);
    sealStreams(redis, sealing);
    // Neither the adapter nor the client awaits these promises, and an unhandled rejection ends the process. The next
    // connection subscribes again; without one the process is closing.
    const publish = redis.publish.bind(redis);
    redis.publish = async (channel: string | Buffer, message: string | Buffer) =>
      publish(channel, message).catch((error: Error) => {
        onError(error);
        return 0;
      });
    const duplicate = redis.duplicate.bind(redis);
    redis.duplicate = (options) => {
      const copy = duplicate(options);
      const subscribe = copy.subscribe.bind(copy) as (...channels: unknown[]) => Promise<unknown>;
      copy.subscribe = (...channels: unknown[]) => subscribe(...channels).catch(() => 0);
      return copy;
    };
    return {
      adapter: createRedisAdapter(redis) as LiveAdapter['adapter'],
      close: async () => {
        // The last messages are still in flight.
        if (redis.status === 'ready') await redis.quit().catch(onError);
        else redis.disconnect();
      },
    };
  }
  // A single connection keeps messages in order, and it stays open because browsers wait for them. No message needs a
  // flush to disk: the change it announces is already committed, and it is useless after a crash.
  const options = '-c synchronous_commit=off';
  const pool = new Pool({ connectionString: env.databaseUrl, max: 1, idleTimeoutMillis: 0, options });
  pool.on('error', onError);
  let closed = false;
  let listener: Awaited<ReturnType<typeof openListener>> | undefined;
  const connect = async () => {
    const client = closed
      ? undefined
      : await openListener(env.databaseUrl, onError).catch((error) => {
          if (!closed) throw error;
        });
    if (client && !closed) {
      // A connection that was cut while it began to listen makes the adapter ask for two others: with both, every event came twice.
      listener?.removeAllListeners('end');
      void listener?.end();
      listener = client;
      return client;
    }
    // Closed in the meantime: otherwise the adapter would keep the client or retry forever.
    await client?.end();
    return new Promise<never>(() => {});
  };
  const listening = { query: groupNotify(pool), connect };
  return {
    adapter: createPostgresAdapter(listening as unknown as Pool, {
      errorHandler: onError,
      payloadThreshold: notifyBytesMax,
      ...quietTimes,
    }) as LiveAdapter['adapter'],
    close: async () => {
      closed = true;
      // The adapter closes the one it listens on, but none that is just beginning to.
      await Promise.all([pool.end(), listener?.end()]);
    },
  };
}

/**
 * The connection the adapter listens on. It is not from the pool: the adapter keeps it without listening for its errors,
 * and an error without a listener ends the process when PostgreSQL restarts; nor would it ever release a broken one.
 */
async function openListener(connectionString: string, onError: (error: Error) => void) {
  const client = new Client({ connectionString, keepAlive: true });
  client.on('error', onError);
  await client.connect();
  return Object.assign(client, { release: () => client.end() });
}

/** Typed sending through a Socket.IO server. */
export function emitThrough(server: Server): Emit {
  return (room, event, payload, cause) => {
    const to = server.to(room);
    if (cause === undefined) to.emit(event, payload);
    else to.emit(event, payload, cause);
  };
}

/** A process without browser connections that sends to those of the others. */
export interface LiveSender {
  readonly emit: Emit;
  close(): Promise<void>;
}

/**
 * A server without HTTP: it reaches browsers connected to other processes through the adapter. Close it with the
 * returned function only: a server's own `close()` expects an HTTP server.
 */
export function openLiveSender(env: ConnectionConfiguration, log: Logger, sealing: Sealing): LiveSender {
  const live = openLiveAdapter(env, log, sealing);
  const server = new Server<Record<string, never>, ServerToBrowser>({ adapter: live.adapter });
  return {
    emit: emitThrough(server),
    close: async () => {
      await server.of('/').adapter.close();
      await live.close();
    },
  };
}
