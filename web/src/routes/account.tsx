import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Card, Group, Title } from '@mantine/core';
import type { MetaFunction } from 'react-router';
import { useSession } from '../data/session.ts';
import { EmailPreferences } from '../features/account/email-preferences.tsx';
import { OwnComplaints } from '../features/account/own-complaints.tsx';
import { LanguageSwitch } from '../features/shell/language-switch.tsx';
import { tabTitle } from '../lib/public-meta.ts';
import { Page } from '../ui/page.tsx';

export const meta: MetaFunction = () => [{ title: tabTitle(t`Mi cuenta`) }];

/** What a person chooses for themselves. */
export default function AccountPage() {
  const { data: session } = useSession();
  return (
    <Page title={t`Mi cuenta`} lead={session?.user.email} size={720}>
      <EmailPreferences />
      <OwnComplaints />
      <Card shadow="sm" padding="lg">
        <Group justify="space-between">
          <Title order={2} fz="h3">
            <Trans>Idioma de las páginas y los correos</Trans>
          </Title>
          <LanguageSwitch />
        </Group>
      </Card>
    </Page>
  );
}
