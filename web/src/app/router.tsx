import { createBrowserRouter } from 'react-router-dom';
import { paths } from '../lib/paths.ts';
import { PageError } from '../routes/error.tsx';
import { Layout, PageLoading } from '../routes/layout.tsx';

/** Every page. Those behind a sign-in come in files of their own, loaded when they are opened. */
export const router = createBrowserRouter([
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
          { path: paths.terms, lazy: () => import('../routes/terms.tsx') },
          { path: paths.privacy, lazy: () => import('../routes/privacy.tsx') },
          { path: paths.rateTester, lazy: () => import('../routes/rate-tester.tsx') },
          { path: paths.crypto, lazy: () => import('../routes/crypto.tsx') },
          { path: paths.scraper, lazy: () => import('../routes/scraper.tsx') },
          {
            lazy: async () => ({ Component: (await import('../routes/guards.tsx')).RequireSender }),
            children: [{ path: paths.dashboard, lazy: () => import('../routes/dashboard.tsx') }],
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
]);
