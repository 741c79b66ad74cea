/** Every address of the product in one place. */
export const paths = {
  home: '/',
  homeCalculator: '/#calculator',
  homeFaq: '/#faq',
  landing2: '/landing2',
  login: '/login',
  signup: '/login?signup=true',
  /** The login page's panel that sends the link. */
  recover: '/login?recover=true',
  /** Where that link leads. */
  newPassword: '/recuperar',
  dashboard: '/dashboard',
  admin: '/admin',
  rateTester: '/rate-tester',
  scraper: '/scraper',
  crypto: '/stripe-integration-crypto',
  terms: '/terms',
  privacy: '/privacy',
  help: '/ayuda',
  paymentSuccess: '/payment-success',
  receipt: '/recibo',
  stripePago: '/stripe-pago',
  stripeIntegration: '/stripe-integration',
  stripe: '/stripe',
  newStripe: '/new-stripe',
  fixedStripe: '/fixed-stripe',
  paymentDemo: '/payment-demo',
  stripeBasic: '/stripe-basic',
  stripeSimple: '/stripe-simple',
  stripeDirect: '/stripe-direct',
  stripeRedirect: '/stripe-redirect',
  simpleStripe: '/simple-stripe',
  stripeDemo: '/stripe-demo',
  testLogin: '/test-login',
} as const;

/** The receipt of a transfer. */
export const receiptPath = (id: string) => `${paths.receipt}/${id}`;

/** The login page that leads back to where the person was going. */
export function loginLeadingTo(destination: string): string {
  return `${paths.login}?next=${encodeURIComponent(destination)}`;
}

/** As `loginLeadingTo`, open on the sign-up tab. */
export function signupLeadingTo(destination: string): string {
  return `${paths.signup}&next=${encodeURIComponent(destination)}`;
}

/** Where to go after signing in: only addresses of our own are followed. */
export function destinationOf(search: URLSearchParams): string {
  return ownAddress(search.get('next')) ?? paths.dashboard;
}

/** The address if it leads to a page of ours; null otherwise (it may come from anybody). */
export function ownAddress(address: string | null): string | null {
  return address && /^\/(?![/\\])/.test(address) ? address : null;
}
