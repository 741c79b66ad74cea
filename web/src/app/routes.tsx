import type { RouteObject } from 'react-router-dom';
import { paths } from '../lib/paths.ts';
import { PageError } from '../routes/error.tsx';
import { Layout, type PageHandle, PageLoading } from '../routes/layout.tsx';

const sandboxOnly: PageHandle = { sandboxOnly: true };

/** Every page. Those behind a sign-in come in files of their own, loaded when they are opened. */
export const routes: RouteObject[] = [
  {
    element: <Layout />,
    errorElement: <PageError />,
    hydrateFallbackElement: <PageLoading />,
    children: [
      {
        errorElement: <PageError />,
        children: [
          { path: paths.home, lazy: () => import('../routes/home.tsx') },
          { path: paths.landing2, lazy: () => import('../routes/landing2.tsx') },
          { path: paths.help, lazy: () => import('../routes/help.tsx') },
          { path: paths.login, lazy: () => import('../routes/login.tsx') },
          { path: paths.newPassword, lazy: () => import('../routes/new-password.tsx') },
          { path: paths.terms, lazy: () => import('../routes/terms.tsx') },
          { path: paths.privacy, lazy: () => import('../routes/privacy.tsx') },
          { path: paths.rateTester, lazy: () => import('../routes/rate-tester.tsx') },
          { path: paths.crypto, lazy: () => import('../routes/crypto.tsx') },
          { path: paths.scraper, lazy: () => import('../routes/scraper.tsx') },
          { path: paths.stripePago, lazy: () => import('../routes/stripe-pago.tsx') },
          ...[paths.stripeIntegration, paths.stripe, paths.newStripe].map((path) => ({
            path,
            lazy: () => import('../routes/stripe-integration.tsx'),
          })),
          { path: paths.fixedStripe, lazy: () => import('../routes/fixed-stripe.tsx') },
          ...[
            paths.paymentDemo,
            paths.stripeBasic,
            paths.stripeSimple,
            paths.stripeDirect,
            paths.stripeRedirect,
            paths.simpleStripe,
          ].map((path) => ({ path, lazy: () => import('../routes/payment-demos.tsx') })),
          { path: paths.stripeDemo, handle: sandboxOnly, lazy: () => import('../routes/stripe-demo.tsx') },
          { path: paths.testLogin, handle: sandboxOnly, lazy: () => import('../routes/test-login.tsx') },
          { path: paths.paymentSuccess, lazy: () => import('../routes/payment-success.tsx') },
          {
            lazy: async () => ({ Component: (await import('../routes/guards.tsx')).RequireSender }),
            children: [
              { path: paths.dashboard, lazy: () => import('../routes/dashboard.tsx') },
              { path: `${paths.receipt}/:id`, lazy: () => import('../routes/receipt.tsx') },
            ],
          },
          {
            lazy: async () => ({ Component: (await import('../routes/guards.tsx')).RequireAdmin }),
            children: [{ path: paths.admin, lazy: () => import('../routes/admin.tsx') }],
          },
          { path: '*', lazy: async () => ({ Component: (await import('../routes/not-found.tsx')).NotFound }) },
        ],
      },
    ],
  },
];
