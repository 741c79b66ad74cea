import { join } from 'node:path';
import type { Config } from '@react-router/dev/config';
import { compressFiles } from './compressed.ts';
import { keepAssetsOfLastBuild } from './kept-assets.ts';
import { listPages } from './page-list.ts';
import { publicPages } from './src/lib/paths.ts';

/** Single-page app whose public pages are prerendered; the api serves both from dist/web (api/web). */
export default {
  appDirectory: 'src',
  buildDirectory: '../dist/web',
  ssr: false,
  splitRouteModules: false,
  prerender: publicPages.map(({ path }) => path),
  async buildEnd({ reactRouterConfig }) {
    const client = join(reactRouterConfig.buildDirectory, 'client');
    await listPages(reactRouterConfig.routes, reactRouterConfig.buildDirectory);
    await compressFiles(client);
    await keepAssetsOfLastBuild({ client, kept: join(reactRouterConfig.buildDirectory, 'kept-assets') });
  },
} satisfies Config;
