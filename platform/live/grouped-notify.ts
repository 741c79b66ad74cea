import type { Pool } from 'pg';

/** How the adapter sends one message. */
const single = 'SELECT pg_notify($1, $2)';

const grouped = {
  name: 'notify',
  text: 'select pg_notify(channel, payload) from unnest($1::text[], $2::text[]) as message (channel, payload)',
};

interface Message {
  readonly channel: unknown;
  readonly payload: unknown;
  readonly sent: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * The `query` of a pool for the adapter. Messages of one moment, and those that come while others are under way, go out together and in
 * their order: each commit with a NOTIFY wakes every connection that listens, whatever it listens for. Everything else is passed on.
 */
export function groupNotify(pool: Pick<Pool, 'query'>): (text: string, values?: unknown[]) => Promise<unknown> {
  let waiting: Message[] = [];
  let sending = false;

  const sendAll = async () => {
    // The rest of what is sent at this moment.
    await Promise.resolve();
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      const values = [group.map(({ channel }) => channel), group.map(({ payload }) => payload)];
      try {
        await pool.query({ ...grouped, values });
        for (const { sent } of group) sent();
      } catch (error) {
        for (const { failed } of group) failed(error);
      }
    }
    sending = false;
  };

  return (text, values = []) => {
    if (text !== single) return pool.query(text, values);
    return new Promise<void>((sent, failed) => {
      const [channel, payload] = values;
      waiting.push({ channel, payload, sent, failed });
      if (sending) return;
      sending = true;
      void sendAll();
    });
  };
}
