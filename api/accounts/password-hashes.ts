import { Inject, Injectable } from '@nestjs/common';
import { Failure } from '#core/contracts/failures';
import { hashPassword, type PasswordCost, verifyPassword } from '#domain/accounts/passwords';
import { PASSWORD_COST } from '../tokens.ts';

/** Hashes under way at once. Each takes about 20 MiB and, for some 30 ms, one of the four threads Node has for such work. */
const atOnceMax = 4;
/** Callers that wait for their turn: about half a second of work. */
const waitingMax = 60;

/**
 * Hashes and verifies passwords, a few at a time: a flood of sign-ins must not take memory and processor from everybody else.
 */
@Injectable()
export class PasswordHashes {
  readonly #waiting: (() => void)[] = [];
  readonly #cost: PasswordCost;
  #underWay = 0;

  constructor(@Inject(PASSWORD_COST) cost: PasswordCost) {
    this.#cost = cost;
  }

  /** Hashes a password. @throws Failure `too_many_requests` when too many callers wait already. */
  hash(password: string): Promise<string> {
    return this.#inTurn(() => hashPassword(password, this.#cost));
  }

  /** Whether a password belongs to a hash; null takes as long and is false. @throws Failure `too_many_requests`. */
  verify(password: string, hash: string | null): Promise<boolean> {
    return this.#inTurn(() => verifyPassword(password, hash, this.#cost));
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#underWay < atOnceMax) this.#underWay += 1;
    else await this.#turn();
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // The place goes straight to the one that waits longest: a new call cannot take it.
      if (next) next();
      else this.#underWay -= 1;
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.length >= waitingMax) throw new Failure('too_many_requests', { retryAfterSeconds: 1 });
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
