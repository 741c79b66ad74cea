/** What two people agreed on, or one alone did. Amounts in minor units; null where no money moves. */
export interface Agreement {
  /** A desk's action, or `approve`, `remedy` or `lift`. */
  readonly what: string;
  readonly requestedBy: string;
  readonly approvedBy: string;
  readonly minor: bigint | null;
  readonly to: 'family' | 'sender' | null;
  readonly tick: number;
}

/** Money that a person moved outside the product, as they reported it. */
export interface HandPayment {
  readonly to: 'family' | 'sender';
  readonly minor: bigint;
  readonly tick: number;
  /** The request that reports it, where a second person still has to agree. */
  readonly requestId: string | null;
  /** The second person says that it never happened. */
  declined: boolean;
}

/**
 * The knowledge of an observer of one transfer who sees the people, the bank and Stripe, but not the product's
 * internals.
 */
export class Witness {
  readonly agreements: Agreement[] = [];
  readonly byHand: HandPayment[] = [];
  /** A message for each event that must not have happened. */
  readonly wrongs: string[] = [];
  /** Disputes, warnings and refunds of the dashboard by their id, and since when the product knows them. */
  readonly known = new Map<string, number>();
  /** Why nothing may be paid, and since when the product knows it. */
  readonly holds = new Map<string, number>();
  /** The first of two approvals of the transfer. */
  firstApprovalBy: string | null = null;

  /** The product knows something from now on. */
  learn(id: string, tick: number): void {
    if (!this.known.has(id)) this.known.set(id, tick);
  }

  /** Replaces the holds by the current ones; continuing ones keep their age. */
  setHolds(names: readonly string[], tick: number): void {
    for (const name of this.holds.keys()) if (!names.includes(name)) this.holds.delete(name);
    for (const name of names) if (!this.holds.has(name)) this.holds.set(name, tick);
  }

  /** Current holds that two people have not released. A stop ends only by being lifted. */
  activeHolds(): string[] {
    const releases = this.agreements.filter((one) => isOfTwo(one) && /release|approve|remedy/.test(one.what));
    const released = Math.max(0, ...releases.map(({ tick }) => tick));
    return [...this.holds]
      .filter(([name, since]) => since > released || name.includes('stopped'))
      .map(([name]) => name);
  }
}

export const isOfTwo = ({ requestedBy, approvedBy }: Agreement) => requestedBy !== approvedBy;
