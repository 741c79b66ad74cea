import { testUser } from '#core/contracts/test-user';

/** Accounts that the sandbox's seed makes; their password comes from the environment. */
export const demoSender = { email: 'demo@chasqui.test', name: 'Lucía Mamani' };
export const demoAdmin = { email: 'admin@chasqui.test', name: 'Ana Quispe' };
/** Confirms changes of rates that one admin may not make alone. */
export const demoSecondAdmin = { email: 'admin2@chasqui.test', name: 'Luis Rojas' };

/** Senders of `npm run scale-data`: one has a large part of all transfers, one a few. */
export const demoManySender = { email: 'muchos@chasqui.test', name: 'Mercedes Mamani' };
export const demoLightSender = { email: 'pocos@chasqui.test', name: 'Pablo Quispe' };

/** Every account whose password may be known to strangers. */
export const sandboxAccounts = [demoSender, demoAdmin, demoSecondAdmin, demoManySender, demoLightSender, testUser].map(
  ({ email }) => email,
);
