import { Anchor } from '@mantine/core';
import { Link } from 'react-router-dom';
import { Scraper } from '../features/comparison/scraper.tsx';
import { paths } from '../lib/paths.ts';
import { Page } from '../ui/page.tsx';

/** The competitors' prices as they were collected. */
export function Component() {
  return (
    <Page
      title="Precios de otros servicios"
      lead="La tasa y la comisión de cada servicio, y de cuándo es cada dato."
      aside={
        <Anchor component={Link} to={paths.rateTester} fw={600}>
          Comparar con Chasqui
        </Anchor>
      }
    >
      <Scraper />
    </Page>
  );
}
