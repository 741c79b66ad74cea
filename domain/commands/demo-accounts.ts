import { testUser } from '#core/contracts/test-user';

/** Accounts that the sandbox's seed makes; their password comes from the environment. */
export const demoSender = { email: 'demo@chasqui.test', name: 'Lucía Mamani' };
export const demoAdmin = { email: 'admin@chasqui.test', name: 'Ana Quispe' };
/** Confirms changes of rates that one admin may not make alone. */
export const demoSecondAdmin = { email: 'admin2@chasqui.test', name: 'Luis Rojas' };

/** Every account whose password may be known to strangers. */
export const sandboxAccounts = [demoSender, demoAdmin, demoSecondAdmin, testUser].map(({ email }) => email);
