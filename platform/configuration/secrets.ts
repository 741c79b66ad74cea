import type { Problem, Variables } from './configuration-error.ts';

/** The servers that hold secrets outside the sandbox. */
export type Server = 'api' | 'worker';

/**
 * Secrets and the servers that need them; commands need the others. Any additional holder would leak them in a
 * break-in.
 */
const holders: Readonly<Record<string, readonly Server[]>> = {
  STRIPE_SECRET_KEY: ['api', 'worker'],
  STRIPE_WEBHOOK_SECRET: ['api'],
  SECOND_FACTOR_KEY: ['api'],
  PERSONAL_DATA_KEY: ['api', 'worker'],
  BANK_API_KEY: ['worker'],
  PUSH_PRIVATE_KEY: ['worker'],
  DATABASE_OWNER_URL: [],
  DATABASE_OWNER_PASSWORD: [],
  ADMIN_PASSWORD: [],
  // Of the installation: each server has its own as STRIPE_SECRET_KEY.
  STRIPE_SECRET_KEY_API: [],
  STRIPE_SECRET_KEY_WORKER: [],
};

/** Tells the api only that there is a mail server. Its address and password are the worker's. */
const unseenMailServer = 'smtp://sent-by-the-worker';

/** The variables of an installation as one of its servers gets them: with its own Stripe key, without the secrets of others. */
export function variablesOf(server: Server, installation: Variables): Variables {
  const { STRIPE_SECRET_KEY_API, STRIPE_SECRET_KEY_WORKER, ...shared } = installation;
  const own = (server === 'api' ? STRIPE_SECRET_KEY_API : STRIPE_SECRET_KEY_WORKER) || shared.STRIPE_SECRET_KEY;
  const kept = Object.entries(shared).filter(([name]) => holders[name]?.includes(server) ?? true);
  const hidden = server === 'api' && shared.SMTP_URL ? { SMTP_URL: unseenMailServer } : {};
  return { ...Object.fromEntries(kept), ...hidden, ...(own && { STRIPE_SECRET_KEY: own }) };
}

/** Secrets of others that a server was given outside the sandbox, whose secrets are public. */
export function findForeignSecrets(server: Server, variables: Variables): Problem[] {
  if (variables.CHASQUI_MODE === 'sandbox') return [];
  const problems = Object.entries(holders)
    .filter(([name, servers]) => variables[name] && !servers.includes(server))
    .map(([variable, servers]) => {
      const holder = servers.length > 0 ? `only the ${servers.join(' and the ')} needs it` : 'no server needs it';
      return { variable, reason: `must not be given to the ${server}: ${holder}` };
    });
  if (server === 'api' && variables.SMTP_URL && URL.parse(variables.SMTP_URL)?.password)
    problems.push({ variable: 'SMTP_URL', reason: `must be ${unseenMailServer} for the api, without the password` });
  return problems;
}

/**
 * With real money each server has a separate restricted key, so that the public one can neither refund nor read the
 * books (docs/stripe-keys.md). A process cannot know the other's key, so this check needs the whole installation.
 */
export function findSharedKeys(installation: Variables): Problem[] {
  const api = variablesOf('api', installation).STRIPE_SECRET_KEY;
  const worker = variablesOf('worker', installation).STRIPE_SECRET_KEY;
  if (!api?.startsWith('rk_live_') || api !== worker) return [];
  return [
    {
      variable: 'STRIPE_SECRET_KEY_WORKER',
      reason: 'must be another restricted key than STRIPE_SECRET_KEY_API: each server has its own rights',
    },
  ];
}
