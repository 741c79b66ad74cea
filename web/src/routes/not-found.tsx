import type { MetaFunction } from 'react-router';
import { tabTitle } from '../lib/public-meta.ts';

export const meta: MetaFunction = () => [{ title: tabTitle('404 Page Not Found') }];

export { NotFound as default } from '../ui/not-found.tsx';
