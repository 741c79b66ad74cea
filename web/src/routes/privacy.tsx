import type { MetaFunction } from 'react-router';
import { LegalPage } from '../features/legal/legal-page.tsx';
import { paths } from '../lib/paths.ts';
import { publicMeta } from '../lib/public-pages.ts';

export const meta: MetaFunction = () => publicMeta(paths.privacy);

/** `/privacy`. */
export default function PrivacyPage() {
  return <LegalPage text="privacy" />;
}
