import type { Database } from '#platform/database/database';
import type { User } from '../accounts/account.entity.ts';
import { createUser } from '../accounts/account.repository.ts';
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
