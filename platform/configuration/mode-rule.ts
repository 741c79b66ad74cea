import { createECDH } from 'node:crypto';
import { paymentModeOf, sandboxSecretKey } from '../../core/contracts/payment-mode.ts';
import type { Problem, Variables } from './configuration-error.ts';

/** Values of the sandbox. They are public, since this file is. */
export const sandboxValues = {
  CHASQUI_MODE: 'sandbox',
  STRIPE_SECRET_KEY: sandboxSecretKey,
  STRIPE_PUBLISHABLE_KEY: 'pk_test_sandbox',
  STRIPE_WEBHOOK_SECRET: 'whsec_sandbox',
  BANK_API_KEY: 'bank_sandbox',
  /** Encrypts only test data. */
  SECOND_FACTOR_KEY: Buffer.from('chasqui-sandbox-second-factors-1').toString('base64'),
  PERSONAL_DATA_KEY: Buffer.from('chasqui-sandbox-personal-data-1!').toString('base64'),
  /** A Solana address without an owner: simulated USDC goes there. */
  CRYPTO_WALLET_ADDRESS: 'ChasquiDemo111111111111111111111111111111111',
  PUSH_PUBLIC_KEY: 'BEkiQkZEuJwc6PkskNICAn6Sat8-oRB58CiwmS4HwN0wto_bzeurY_ChA-2HEsNF0gaen1Tr3g0cJHWuFpfD_AY',
  PUSH_PRIVATE_KEY: 'C-Yjg62Bm618D2AXaNDkZlRXjp1F99pyWI_cmMlmpAs',
} as const;

/**
 * Keeps the sandbox and real money apart. With `CHASQUI_MODE=sandbox` keys and bank must be the sandbox's; otherwise nothing of
 * the sandbox is accepted. Every variable that is given counts, also those that this process does not use; `fields` are the
 * ones it uses. Empty variables count as absent.
 */
export function findModeProblems(variables: Variables, fields: readonly string[]): Problem[] {
  return [
    ...(variables.CHASQUI_MODE === 'sandbox' ? inSandbox(variables, fields) : outsideSandbox(variables, fields)),
    ...unmatchedPushKeys(variables, fields),
  ];
}

function inSandbox(variables: Variables, fields: readonly string[]): Problem[] {
  const problems: Problem[] = [];
  for (const variable of ['STRIPE_API_URL', 'STRIPE_JS_URL']) {
    if (fields.includes(variable) && !variables[variable]) {
      problems.push({ variable, reason: "must be the sandbox's address with CHASQUI_MODE=sandbox" });
    }
  }
  const keys = ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET', 'BANK_API_KEY'] as const;
  for (const variable of keys) {
    if (variables[variable] && variables[variable] !== sandboxValues[variable]) {
      problems.push({
        variable,
        reason: "must be the sandbox's with CHASQUI_MODE=sandbox: simulated cards pay out no money",
      });
    }
  }
  return problems;
}

function outsideSandbox(variables: Variables, fields: readonly string[]): Problem[] {
  const problems: Problem[] = [];
  const refuse = (variable: string, reason: string) => problems.push({ variable, reason });
  const secrets = [
    'STRIPE_SECRET_KEY',
    'STRIPE_PUBLISHABLE_KEY',
    'STRIPE_WEBHOOK_SECRET',
    'BANK_API_KEY',
    'SECOND_FACTOR_KEY',
    'PERSONAL_DATA_KEY',
    'CRYPTO_WALLET_ADDRESS',
    'PUSH_PUBLIC_KEY',
    'PUSH_PRIVATE_KEY',
  ] as const;
  for (const variable of secrets) {
    if (variables[variable]?.split(/[\s,]+/).includes(sandboxValues[variable]))
      refuse(variable, "must not be the sandbox's without CHASQUI_MODE=sandbox");
  }
  if (variables.DEMO_PASSWORD) {
    refuse('DEMO_PASSWORD', 'must be empty outside the sandbox: demo accounts exist in it only');
  }
  for (const variable of ['STRIPE_API_URL', 'STRIPE_JS_URL']) {
    if (variables[variable])
      refuse(variable, 'must be empty outside the sandbox: a real Stripe key goes to Stripe alone');
  }
  if (variables.CALL_LIMIT_FACTOR && variables.CALL_LIMIT_FACTOR !== '1') {
    refuse('CALL_LIMIT_FACTOR', 'must be empty outside the sandbox: load is tried in it only');
  }
  if (variables.BANK_COMPLETION_MINUTES && Number(variables.BANK_COMPLETION_MINUTES) < 1) {
    refuse(
      'BANK_COMPLETION_MINUTES',
      'must be at least 1 outside the sandbox: a bank may still pay what it does not know yet',
    );
  }
  // The sandbox speaks plain http only, so none of its addresses can pass.
  for (const variable of ['BANK_API_URL', 'RATE_SOURCES_URL']) {
    if (variables[variable] && (!isHttps(variables[variable]) || isSandboxHost(variables[variable]))) {
      refuse(variable, "must be an https address outside the sandbox, never the sandbox's or this machine's");
    }
  }
  if (variables.SMTP_URL && isSandboxHost(variables.SMTP_URL)) {
    refuse('SMTP_URL', "must be a real mail server's outside the sandbox, not the sandbox's or this machine's");
  }
  if (variables.WATCHMAN_URL && isSandboxHost(variables.WATCHMAN_URL)) {
    refuse('WATCHMAN_URL', "must be a real Watchman's outside the sandbox, not the sandbox's or on this machine");
  }
  for (const variable of [
    'DATABASE_URL',
    'DATABASE_REPLICA_URL',
    'DATABASE_OWNER_URL',
    'REDIS_URL',
    'WATCHMAN_URL',
    'CLAMAV_URL',
  ]) {
    if (variables[variable] && leavesMachine(variables[variable], variables) && !asksForTls(variables[variable]))
      refuse(variable, 'must ask for TLS where it leaves this machine: rediss, https, tls, or ?sslmode=verify-full');
  }
  problems.push(...unnamedCompany(variables, fields));
  if ((fields.includes('PUBLIC_URL') || variables.PUBLIC_URL) && !isHttps(variables.PUBLIC_URL)) {
    refuse('PUBLIC_URL', 'must be an https address outside the sandbox');
  }
  problems.push(...unmatchedStripeKeys(variables));
  return problems;
}

/** What a person who pays real money must be able to read first; Regulation E (12 CFR 1005.31(b)(2)) and PSD2 (article 52) want it. */
export const companyVariables = [
  'COMPANY_NAME',
  'COMPANY_LICENSE',
  'COMPANY_REGULATOR',
  'COMPANY_ADDRESS',
  'COMPANY_FUNDS_ES',
  'COMPANY_FUNDS_EN',
] as const;

function unnamedCompany(variables: Variables, fields: readonly string[]): Problem[] {
  const { STRIPE_SECRET_KEY } = variables;
  if (!STRIPE_SECRET_KEY || paymentModeOf(STRIPE_SECRET_KEY) !== 'live') return [];
  return companyVariables
    .filter((variable) => fields.includes(variable) && !variables[variable])
    .map((variable) => ({ variable, reason: 'must be given with a live Stripe key: pages say who takes the money' }));
}

function unmatchedStripeKeys({ STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, NODE_ENV }: Variables): Problem[] {
  if (!STRIPE_SECRET_KEY) return [];
  const problems: Problem[] = [];
  const isLive = paymentModeOf(STRIPE_SECRET_KEY) === 'live';
  if (isLive && !STRIPE_SECRET_KEY.startsWith('rk_live_')) {
    const reason =
      'must be a restricted key (rk_live_) with the rights of docs/stripe-keys.md: a secret key may do everything';
    problems.push({ variable: 'STRIPE_SECRET_KEY', reason });
  }
  if (isLive && NODE_ENV && NODE_ENV !== 'production') {
    problems.push({ variable: 'NODE_ENV', reason: 'must be production with a live Stripe key' });
  }
  if (
    STRIPE_PUBLISHABLE_KEY !== sandboxValues.STRIPE_PUBLISHABLE_KEY &&
    STRIPE_PUBLISHABLE_KEY?.startsWith(isLive ? 'pk_test_' : 'pk_live_')
  ) {
    const reason = 'must belong to the same mode, test or live, as STRIPE_SECRET_KEY';
    problems.push({ variable: 'STRIPE_PUBLISHABLE_KEY', reason });
  }
  return problems;
}

/** Who sends has both keys of a pair; browsers subscribe with one of them, and their push services check the other's signature. */
function unmatchedPushKeys(variables: Variables, fields: readonly string[]): Problem[] {
  const { PUSH_PUBLIC_KEY: publicKey, PUSH_PRIVATE_KEY: privateKey } = variables;
  if (!fields.includes('PUSH_PRIVATE_KEY') || (!publicKey && !privateKey)) return [];
  if (!privateKey) return [{ variable: 'PUSH_PRIVATE_KEY', reason: 'must be given with PUSH_PUBLIC_KEY' }];
  if (!publicKey) return [{ variable: 'PUSH_PUBLIC_KEY', reason: 'must be given with PUSH_PRIVATE_KEY' }];
  return isPair(publicKey, privateKey)
    ? []
    : [
        {
          variable: 'PUSH_PRIVATE_KEY',
          reason: 'must belong to PUSH_PUBLIC_KEY: both come from one run of generate-vapid-keys',
        },
      ];
}

function isPair(publicKey: string, privateKey: string): boolean {
  const pair = createECDH('prime256v1');
  try {
    pair.setPrivateKey(privateKey, 'base64url');
  } catch {
    return false;
  }
  return pair.getPublicKey('base64url') === publicKey;
}

function isHttps(url: string | undefined): boolean {
  return url !== undefined && URL.parse(url)?.protocol === 'https:';
}

/**
 * A name without a dot is of docker's network within one machine, or a mistake that no resolver knows. Within Kubernetes, which says so in
 * a variable of every container, it is a service, whose pods may be on another machine.
 */
function leavesMachine(url: string, { KUBERNETES_SERVICE_HOST: isInCluster }: Variables): boolean {
  const host = URL.parse(url)?.hostname ?? '';
  if (host === '' || /^(localhost$|127\.|\[::1\]$)/.test(host)) return false;
  return isInCluster !== undefined || /[.:]/.test(host);
}

function asksForTls(url: string): boolean {
  const { protocol, searchParams } = new URL(url);
  return ['https:', 'rediss:', 'tls:'].includes(protocol) || searchParams.get('sslmode') === 'verify-full';
}

/**
 * The sandbox listens on this machine, or in the container of that name. Neither do the link-local addresses, where clouds hand out the
 * credentials of a machine, belong to any service of ours.
 */
function isSandboxHost(url: string): boolean {
  const host = URL.parse(url)?.hostname.replace(/\.$/, '').toLowerCase() ?? '';
  return (
    ['sandbox', 'localhost', '0.0.0.0', '[::]', '[::1]'].includes(host) ||
    host.endsWith('.localhost') ||
    /^(127\.|169\.254\.|\[fe[89ab][0-9a-f]:|\[::ffff:(7f|a9fe:))/.test(host)
  );
}
