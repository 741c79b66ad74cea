/** Every address of the product in one place. */
export const paths = {
  home: '/',
  homeCalculator: '/#calculator',
  homeFaq: '/#faq',
  landing2: '/landing2',
  login: '/login',
  signup: '/login?signup=true',
  dashboard: '/dashboard',
  admin: '/admin',
  rateTester: '/rate-tester',
  scraper: '/scraper',
  crypto: '/stripe-integration-crypto',
  terms: '/terms',
  privacy: '/privacy',
  help: '/ayuda',
  paymentSuccess: '/payment-success',
} as const;

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
  const next = search.get('next') ?? '';
  return /^\/(?![/\\])/.test(next) ? next : paths.dashboard;
}
