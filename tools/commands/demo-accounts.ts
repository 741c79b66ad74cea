import { testUser } from '#core/contracts/test-user';

/** Accounts created by the sandbox's seed; their password comes from the environment. */
export const demoSender = { email: 'demo@chasqui.test', name: 'Lucía Mamani' };
export const demoAdmin = { email: 'admin@chasqui.test', name: 'Ana Quispe' };
/** Confirms rate changes that need two admins. */
export const demoSecondAdmin = { email: 'admin2@chasqui.test', name: 'Luis Rojas' };

/** Senders of `npm run scale-data`: one has a large part of all transfers, one a few. */
export const demoManySender = { email: 'muchos@chasqui.test', name: 'Mercedes Mamani' };
export const demoLightSender = { email: 'pocos@chasqui.test', name: 'Pablo Quispe' };

/** Every account whose password may be publicly known. */
export const sandboxAccounts = [demoSender, demoAdmin, demoSecondAdmin, demoManySender, demoLightSender, testUser].map(
  ({ email }) => email,
);
