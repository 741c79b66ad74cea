import { setImmediate } from 'node:timers/promises';

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly written: (result: Result) => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Writes items that come at one moment together, and what comes while a commit is under way together with the next one, so that many
 * callers at once cost few commits.
 */
export class GroupCommit<Item, Result = void> {
  readonly #write: (items: readonly Item[]) => Promise<readonly Result[]>;
  #waiting: Waiting<Item, Result>[] = [];
  #writing = false;

  /** `write` commits all items or none, and returns what came of each. */
  constructor(write: (items: readonly Item[]) => Promise<readonly Result[]>) {
    this.#write = write;
  }

  /** Resolves with what came of the item once that is committed. @throws when it cannot be, also alone. */
  add(item: Item): Promise<Result> {
    return new Promise((written, failed) => {
      this.#waiting.push({ item, written, failed });
      if (!this.#writing) void this.#writeAll();
    });
  }

  async #writeAll(): Promise<void> {
    this.#writing = true;
    while (this.#waiting.length > 0) {
      // The rest of what comes at this moment: requests and answers that were read together.
      await setImmediate();
      const group = this.#waiting;
      this.#waiting = [];
      await this.#writeGroup(group);
    }
    this.#writing = false;
  }

  /** What is wrong with one item is no reason to refuse the others. */
  async #writeGroup(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#write(group.map(({ item }) => item));
      group.forEach(({ written }, index) => {
        written(results[index] as Result);
      });
    } catch (error) {
      if (group.length > 1) for (const one of group) await this.#writeGroup([one]);
      else group[0]?.failed(error);
    }
  }
}
