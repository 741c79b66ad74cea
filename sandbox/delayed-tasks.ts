/**
 * Tasks for a later moment, such as the expiry of a hold or the result of a refund. Kept in storage, due in sandbox
 * time.
 */
import type { Clock } from './clock.ts';
import type { Storage } from './storage.ts';

export type Task =
  | 'expire_hold'
  | 'book_charge'
  | 'finish_refund'
  | 'open_dispute'
  | 'warn_of_fraud'
  | 'decide_dispute'
  | 'expire_dispute'
  | 'arrive_payout'
  | 'fulfil_onramp';

export class DelayedTasks {
  readonly #storage: Storage;
  readonly #clock: Clock;

  constructor(storage: Storage, clock: Clock) {
    this.#storage = storage;
    this.#clock = clock;
  }

  /** @param due milliseconds since the epoch, sandbox time. */
  add(task: Task, ref: string, due: number): void {
    this.#storage.run('INSERT OR REPLACE INTO scheduled (task, ref, due) VALUES (?, ?, ?)', task, ref, due);
  }

  remove(task: Task, ref: string): void {
    this.#storage.run('DELETE FROM scheduled WHERE task = ? AND ref = ?', task, ref);
  }

  nextDue(): number | null {
    const row = this.#storage.one('SELECT min(due) AS due FROM scheduled');
    return row?.due == null ? null : Number(row.due);
  }

  /** Performs everything due, oldest first. `perform` runs in the transaction that deletes the task. */
  runDue(perform: (task: Task, ref: string) => void): void {
    const sql = 'SELECT id, task, ref FROM scheduled WHERE due <= ? ORDER BY due, id LIMIT 1';
    for (
      let row = this.#storage.one(sql, this.#clock.millis());
      row;
      row = this.#storage.one(sql, this.#clock.millis())
    ) {
      const { id, task, ref } = row;
      this.#storage.transaction(() => {
        this.#storage.run('DELETE FROM scheduled WHERE id = ?', Number(id));
        perform(task as Task, String(ref));
      });
    }
  }
}
