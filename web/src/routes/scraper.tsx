import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor } from '@mantine/core';
import { Link, type MetaFunction } from 'react-router';
import { Scraper } from '../features/comparison/scraper.tsx';
import { paths } from '../lib/paths.ts';
import { tabTitle } from '../lib/public-meta.ts';
import { Page } from '../ui/page.tsx';

export const meta: MetaFunction = () => [{ title: tabTitle(t`Precios de otros servicios`) }];

/** The competitors' prices as they were collected. */
export default function ScraperPage() {
  return (
    <Page
      title={t`Precios de otros servicios`}
      lead={t`La tasa y la comisión de cada servicio, y de cuándo es cada dato.`}
      aside={
        <Anchor component={Link} to={paths.rateTester} fw={600}>
          <Trans>Comparar con Chasqui</Trans>
        </Anchor>
      }
    >
      <Scraper />
    </Page>
  );
}
