import { index, layout, type RouteConfig, type RouteConfigEntry, route } from '@react-router/dev/routes';
import { locales } from '#core/locale/locale';
import { pathIn, paths, publicPaths } from './lib/paths.ts';

/** One page under several addresses. */
const samePage = (file: string, addresses: readonly string[]): RouteConfigEntry[] =>
  addresses.map((path) => (path === '/' ? index(file) : route(path.slice(1), file, { id: path })));

/** A page for everybody, under an address for each language. */
const publicPage = (name: keyof typeof publicPaths, file: string) =>
  samePage(
    file,
    locales.map((language) => pathIn(language, publicPaths[name])),
  );

const page = (path: string, file: string) => route(path.slice(1), file);

/** Every page. Each comes in a file of its own, loaded when it is opened. */
export default [
  layout('routes/pages.tsx', [
    ...publicPage('home', 'routes/home.tsx'),
    ...publicPage('landing2', 'routes/landing2.tsx'),
    ...publicPage('help', 'routes/help.tsx'),
    ...publicPage('login', 'routes/login.tsx'),
    ...publicPage('terms', 'routes/legal.tsx'),
    ...publicPage('privacy', 'routes/legal.tsx'),
    ...publicPage('rateTester', 'routes/rate-tester.tsx'),
    layout('routes/app-pages.tsx', [
      page(paths.newPassword, 'routes/new-password.tsx'),
      page(paths.emailLink, 'routes/email-link.tsx'),
      // With the token behind the "#"; links from before had it in the path.
      ...samePage('routes/tracking.tsx', [paths.tracking, `${paths.tracking}/:token`]),
      page(paths.scraper, 'routes/scraper.tsx'),
      page(paths.crypto, 'routes/crypto.tsx'),
      page(paths.stripePago, 'routes/stripe-pago.tsx'),
      ...samePage('routes/stripe-integration.tsx', [paths.stripeIntegration, paths.stripe, paths.newStripe]),
      ...samePage('routes/payment-demos.tsx', [
        paths.paymentDemo,
        paths.stripeBasic,
        paths.stripeSimple,
        paths.stripeDirect,
        paths.stripeRedirect,
        paths.simpleStripe,
      ]),
      ...samePage('routes/check-paper.tsx', [paths.checkPaper, `${paths.checkPaper}/:code`]),
      page(paths.paymentSuccess, 'routes/payment-success.tsx'),
      layout('routes/sandbox-only.tsx', [
        page(paths.stripeDemo, 'routes/stripe-demo.tsx'),
        page(paths.testLogin, 'routes/test-login.tsx'),
      ]),
      layout('routes/signed-in.tsx', { id: 'senders-only' }, [
        ...samePage('routes/dashboard.tsx', [paths.dashboard, paths.transfers, paths.recipients, paths.rates]),
        page(paths.account, 'routes/account.tsx'),
        page(`${paths.receipt}/:id`, 'routes/receipt.tsx'),
      ]),
      layout('routes/signed-in.tsx', { id: 'admins-only' }, [page(paths.admin, 'routes/admin.tsx')]),
    ]),
    page(paths.fixedStripe, 'routes/fixed-stripe.tsx'),
    route('*', 'routes/not-found.tsx'),
  ]),
] satisfies RouteConfig;
