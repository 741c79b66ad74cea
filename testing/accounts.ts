import type { User } from '#domain/accounts/account.entity';
import { createUser } from '#domain/accounts/account.repository';
import type { Database } from '#platform/database/database';
import { testEmail, testMoment } from './transfers.ts';

/** Creates an account without a working password, because its hash is invalid. */
export function createTestUser(
  database: Database,
  overrides: { role?: 'user' | 'admin'; name?: string; phone?: string } = {},
): Promise<User> {
  return database.transaction((em) =>
    createUser(em, {
      email: testEmail(),
      name: overrides.name ?? 'Lucía Mamani',
      passwordHash: 'none',
      role: overrides.role ?? 'user',
      ...(overrides.phone && { phone: overrides.phone }),
      termsAcceptedAt: testMoment,
      at: testMoment,
    }),
  );
}
