import type { User } from '#domain/accounts/account.repository';

/** Who calls: a signed-in person and the session they use. The role is the database's, read with every call. */
export interface Person {
  readonly sessionId: string;
  readonly expiresAt: Date;
  readonly user: User;
}
