interface Waiting<Item> {
  readonly item: Item;
  readonly written: () => void;
  readonly failed: (error: unknown) => void;
}

/** Writes what comes while a commit is under way together with the next one, so that many callers at once cost few commits. */
export class GroupCommit<Item> {
  readonly #write: (items: readonly Item[]) => Promise<void>;
  #waiting: Waiting<Item>[] = [];
  #writing = false;

  /** `write` commits all items or none. */
  constructor(write: (items: readonly Item[]) => Promise<void>) {
    this.#write = write;
  }

  /** Resolves once the item is committed. @throws when it cannot be, also alone. */
  add(item: Item): Promise<void> {
    return new Promise((written, failed) => {
      this.#waiting.push({ item, written, failed });
      if (!this.#writing) void this.#writeAll();
    });
  }

  async #writeAll(): Promise<void> {
    this.#writing = true;
    while (this.#waiting.length > 0) {
      const group = this.#waiting;
      this.#waiting = [];
      await this.#writeGroup(group);
    }
    this.#writing = false;
  }

  /** What is wrong with one item is no reason to refuse the others. */
  async #writeGroup(group: readonly Waiting<Item>[]): Promise<void> {
    try {
      await this.#write(group.map(({ item }) => item));
      for (const { written } of group) written();
    } catch (error) {
      if (group.length > 1) for (const one of group) await this.#writeGroup([one]);
      else group[0]?.failed(error);
    }
  }
}
