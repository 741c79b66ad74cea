import { accountAddress } from '#core/contracts/page-addresses';
import { type Locale, locales } from '#core/locale/locale';
import { parseMinor, type SendCurrency, sendCurrencies } from '#core/money/money';
import { language } from './language.ts';

/** Pages for everybody, prerendered in each language; their Spanish addresses. */
export const publicPaths = {
  home: '/',
  landing2: '/landing2',
  login: '/login',
  help: '/ayuda',
  rateTester: '/rate-tester',
  terms: '/terms',
  privacy: '/privacy',
} as const;

/** The address of a public page in a language: English ones begin with "/en". */
export function pathIn(shown: Locale, path: string): string {
  if (shown === 'es') return path;
  return path === publicPaths.home ? '/en' : `/en${path}`;
}

const here = (path: string) => pathIn(language(), path);

/** The same public page in a language, from its address in any; null where the page is none of them. */
export function publicPathIn(shown: Locale, pathname: string): string | null {
  const plain = pathname.replace(/(?<=.)\/$/, '').toLowerCase();
  const path = Object.values(publicPaths).find((known) => [known, pathIn('en', known)].includes(plain));
  return path === undefined ? null : pathIn(shown, path);
}

/** Every address of the product in one place; those of public pages in the language that is shown. */
export const paths = {
  get home() {
    return here(publicPaths.home);
  },
  get homeCalculator() {
    return `${this.home}#calculator`;
  },
  get homeFaq() {
    return `${this.home}#faq`;
  },
  get landing2() {
    return here(publicPaths.landing2);
  },
  get login() {
    return here(publicPaths.login);
  },
  get signup() {
    return `${this.login}?signup=true`;
  },
  /** The login page's panel that sends the link. */
  get recover() {
    return `${this.login}?recover=true`;
  },
  get rateTester() {
    return here(publicPaths.rateTester);
  },
  get terms() {
    return here(publicPaths.terms);
  },
  get privacy() {
    return here(publicPaths.privacy);
  },
  get help() {
    return here(publicPaths.help);
  },
  /** Where the link of that panel leads. */
  newPassword: '/recuperar',
  /** Where the links of e-mails about a changed address lead. */
  emailLink: '/correo',
  dashboard: '/dashboard',
  transfers: '/dashboard/envios',
  recipients: '/dashboard/destinatarios',
  rates: '/dashboard/tasas',
  account: accountAddress,
  admin: '/admin',
  scraper: '/scraper',
  crypto: '/stripe-integration-crypto',
  paymentSuccess: '/payment-success',
  receipt: '/recibo',
  checkPaper: '/verificar',
  tracking: '/seguimiento',
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
/** A transfer for the holder of its link, whose secret no server sees in an address. */
export const trackingPath = (token: string) => `${paths.tracking}#${token}`;
/** The receipt of a transfer. */
export const receiptPath = (id: string) => `${paths.receipt}/${id}`;

/** The login page that leads back to where the person was going. */
export function loginLeadingTo(destination: string): string {
  return `${paths.login}?next=${encodeURIComponent(destination)}`;
}

/** State of a navigation to the sign-in page that opens its sign-up tab, where the specification wants the plain address. */
export const signupState = 'signup';

/** As `loginLeadingTo`, open on the sign-up tab. */
export function signupLeadingTo(destination: string): string {
  return `${paths.signup}&next=${encodeURIComponent(destination)}`;
}

/** Where to go after signing in: only addresses of our own are followed. */
export function destinationOf(search: URLSearchParams): string {
  return ownAddress(search.get('next')) ?? paths.dashboard;
}

/** An address of ours in a language: that of a public page has one in each. */
export const addressIn = (shown: Locale, address: string): string =>
  address.replace(/^[^?#]*/, (pathname) => publicPathIn(shown, pathname) ?? pathname);

/** An origin that is nobody's. */
const anyOrigin = 'http://own.invalid';

/** The address if it leads to a page of ours; null otherwise (it may come from anybody). */
export function ownAddress(address: string | null): string | null {
  // Browsers leave tabs and line breaks out of addresses and read "\\" as "/": only their own parser knows where one leads.
  if (!address?.startsWith('/') || /\p{Cc}/u.test(address) || !URL.canParse(address, anyOrigin)) return null;
  return new URL(address, anyOrigin).origin === anyOrigin ? address : null;
}

/** What a user entered before they reached the form that sends it. */
export interface SendingAmount {
  /** Decimal text. */
  readonly amount: string;
  readonly currency: SendCurrency;
  /** The bolivianos that have to arrive, decimal text, where those were typed. */
  readonly receive?: string;
}

/** The element that such an address leads to. */
export const sendFormId = 'send';
/** The part of the panel that lists the sender's transfers. */
export const transfersId = 'transfers';

/** The panel with its form filled in. The address carries it through signing in and signing up as their `next`. */
export function sendingPath(asked: SendingAmount): string {
  return `${paths.dashboard}?${new URLSearchParams({ ...asked })}#${sendFormId}`;
}

/** Reads such an address; null for one that asks for nothing, or for nonsense. */
export function readSendingPath(search: URLSearchParams): SendingAmount | null {
  const [amount, receive] = [search.get('amount') ?? '', search.get('receive') ?? ''];
  const currency = sendCurrencies.find((one) => one === search.get('currency'));
  const isPositive = (text: string) => (parseMinor(text) ?? 0n) > 0n;
  return currency && isPositive(amount) ? { amount, currency, ...(isPositive(receive) && { receive }) } : null;
}

/** A page for everybody, in one language. */
interface PublicPage {
  readonly path: string;
  /** Name of its prerendered HTML file. */
  readonly file: string;
  readonly language: Locale;
}

/** Public pages: prerendered at build time and listed in the site map, each in every language. Marked as pure, so that it stays out of what browsers load. */
export const publicPages: readonly PublicPage[] = /* @__PURE__ */ locales.flatMap((language) =>
  Object.values(publicPaths).map((path) => ({
    path: pathIn(language, path),
    file: `${path.slice(1) || 'home'}${language === 'es' ? '' : `.${language}`}.html`,
    language,
  })),
);

/** The language of the public page at a path, with or without a final slash. */
export function languageOfPage(pathname: string): Locale | undefined {
  const plain = pathname.replace(/(?<=.)\/$/, '');
  return publicPages.find(({ path }) => path === plain)?.language;
}
