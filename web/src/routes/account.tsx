import { t } from '@lingui/core/macro';
import type { MetaFunction } from 'react-router';
import { useSession } from '../data/session.ts';
import { AccountSections } from '../features/account/account-sections.tsx';
import { LanguageSwitch } from '../features/shell/language-switch.tsx';
import { tabTitle } from '../lib/public-meta.ts';
import { Page } from '../ui/page.tsx';

export const meta: MetaFunction = () => [{ title: tabTitle(t`Mi cuenta`) }];

/** What a person sees and changes of their own account. */
export default function AccountPage() {
  const { data: session } = useSession();
  return (
    <Page title={t`Mi cuenta`} lead={session?.user.email} size={720}>
      <AccountSections languageSwitch={<LanguageSwitch />} />
    </Page>
  );
}
