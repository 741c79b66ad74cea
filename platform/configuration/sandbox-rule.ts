import { paymentModeOf, sandboxSecretKey } from '#core/contracts/payment-mode';

/** Public values that belong to the sandbox: whoever can read this file knows them. */
export const sandboxValues = {
  STRIPE_SECRET_KEY: sandboxSecretKey,
  STRIPE_PUBLISHABLE_KEY: 'pk_test_sandbox',
  STRIPE_WEBHOOK_SECRET: 'whsec_sandbox',
  BANK_API_KEY: 'bank_sandbox',
  /** Nobody's wallet on Solana: USDC that is only simulated goes there. */
  CRYPTO_WALLET_ADDRESS: 'ChasquiDemo111111111111111111111111111111111',
} as const;

type Variables = Readonly<Record<string, string | undefined>>;

/** A variable that must not have the value it has, and why, as the end of a sentence that begins with its name. */
export interface Problem {
  readonly variable: string;
  readonly reason: string;
}

/**
 * Keeps the sandbox and real money apart: beside a Stripe secret key that is not the sandbox's, nothing of the sandbox is
 * accepted, and beside the sandbox's key no real bank. Variables are taken as written; empty and absent ones are the same.
 * Reasons never contain a value.
 */
export function findSandboxProblems(variables: Variables): Problem[] {
  const key = variables.STRIPE_SECRET_KEY;
  if (!key) return [];
  return key === sandboxSecretKey ? inSandbox(variables) : outsideSandbox(variables, key);
}

function inSandbox(variables: Variables): Problem[] {
  const problems: Problem[] = [];
  for (const variable of ['STRIPE_API_URL', 'STRIPE_JS_URL']) {
    if (!variables[variable])
      problems.push({ variable, reason: "must be the sandbox's address with the sandbox's Stripe key" });
  }
  for (const variable of ['STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET', 'BANK_API_KEY'] as const) {
    if (variables[variable] && variables[variable] !== sandboxValues[variable]) {
      problems.push({
        variable,
        reason: "must be the sandbox's with the sandbox's Stripe key: simulated cards pay out no money",
      });
    }
  }
  return problems;
}

function outsideSandbox(variables: Variables, key: string): Problem[] {
  const problems: Problem[] = [];
  const refuse = (variable: string, reason: string) => problems.push({ variable, reason });
  if (variables.DEMO_PASSWORD)
    refuse('DEMO_PASSWORD', 'must be empty with a real Stripe key: demo accounts exist in the sandbox only');
  for (const variable of ['STRIPE_API_URL', 'STRIPE_JS_URL']) {
    if (variables[variable]) refuse(variable, 'must be empty with a real Stripe key, which goes to Stripe alone');
  }
  // The sandbox speaks plain http only, so none of its addresses can pass.
  for (const variable of ['BANK_API_URL', 'RATE_SOURCES_URL']) {
    if (variables[variable] && !isHttps(variables[variable])) {
      refuse(variable, 'must be an https address with a real Stripe key, never the sandbox');
    }
  }
  if (variables.SMTP_URL && isSandboxHost(variables.SMTP_URL)) {
    refuse('SMTP_URL', "must be a real mail server's with a real Stripe key, not the sandbox's or this machine's");
  }
  const secrets = ['STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET', 'BANK_API_KEY', 'CRYPTO_WALLET_ADDRESS'] as const;
  for (const variable of secrets) {
    if (variables[variable] === sandboxValues[variable])
      refuse(variable, "must not be the sandbox's with a real Stripe key");
  }
  if (!isHttps(variables.PUBLIC_URL)) refuse('PUBLIC_URL', 'must be an https address with a real Stripe key');
  const publishable = variables.STRIPE_PUBLISHABLE_KEY ?? '';
  if (publishable === sandboxValues.STRIPE_PUBLISHABLE_KEY) return problems;
  if (publishable.startsWith(paymentModeOf(key) === 'live' ? 'pk_test_' : 'pk_live_')) {
    refuse('STRIPE_PUBLISHABLE_KEY', 'must belong to the same mode, test or live, as STRIPE_SECRET_KEY');
  }
  return problems;
}

function isHttps(url: string | undefined): boolean {
  return url !== undefined && URL.parse(url)?.protocol === 'https:';
}

/** The sandbox listens on this machine, or in the container of that name. */
function isSandboxHost(url: string): boolean {
  const host = URL.parse(url)?.hostname.replace(/\.$/, '').toLowerCase() ?? '';
  return (
    host === 'sandbox' ||
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    /^(127\.|0\.0\.0\.0$|\[::1?\]$)/.test(host)
  );
}
