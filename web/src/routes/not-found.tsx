import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Code, Group, Text } from '@mantine/core';
import { Link, type MetaFunction } from 'react-router';
import { paths } from '../lib/paths.ts';
import { tabTitle } from '../lib/public-meta.ts';
import { Page } from '../ui/page.tsx';

export const meta: MetaFunction = () => [{ title: tabTitle('404 Page Not Found') }];

/** Any address that is none of ours. */
export default function NotFound() {
  return (
    <Page title={t`404 Page Not Found`} lead={t`No encontramos esta página.`} size={720}>
      <div className="cq-chevrons" aria-hidden />
      <Text fz="lg">
        <Trans>Puede que la dirección esté mal escrita o que la página ya no exista.</Trans>
      </Text>
      <Code block px={16} py={12} c="var(--cq-quiet)" bg="var(--cq-quiet-soft)" style={{ whiteSpace: 'pre-wrap' }}>
        <Trans>Did you forget to add the page to the router?</Trans>
      </Code>
      <Group>
        <Button component={Link} to={paths.home}>
          <Trans>Volver al inicio</Trans>
        </Button>
        <Button component={Link} to={paths.help} variant="default">
          <Trans>Buscar en Ayuda</Trans>
        </Button>
      </Group>
    </Page>
  );
}
