import { Injectable } from '@nestjs/common';
import { Failure } from '#core/contracts/failures';
import type { User } from '#domain/accounts/account.repository';
import { RateLimits } from '../access/rate-limits.ts';
import { PasswordHashes } from './password-hashes.ts';

/** The password that a signed-in person types again before something that cannot be undone. */
@Injectable()
export class OwnPassword {
  constructor(
    private readonly rateLimits: RateLimits,
    private readonly passwords: PasswordHashes,
  ) {}

  /**
   * Counts the attempt, then checks the password: who found a page left open must not guess it.
   * @throws Failure `too_many_requests` or `wrong_password`.
   */
  async check({ id, passwordHash }: User, password: string): Promise<void> {
    await this.rateLimits.take('passwordChecksPerPerson', id);
    if (!(await this.passwords.verify(password, passwordHash))) throw new Failure('wrong_password');
    await this.rateLimits.clear('passwordChecksPerPerson', id);
  }
}
