import { Anchor } from '@mantine/core';
import { Link, type MetaFunction } from 'react-router';
import { Comparison, RateUpdate } from '../features/comparison/comparison.tsx';
import { BankBoard } from '../features/rates/bank-board.tsx';
import { paths } from '../lib/paths.ts';
import { publicMeta } from '../lib/public-pages.ts';
import { Page } from '../ui/page.tsx';

export const meta: MetaFunction = () => publicMeta(paths.rateTester);

/** The rate comparison tester: ours beside the others, for any amount. */
export default function RateTesterPage() {
  return (
    <Page
      title="Comparación de tasas"
      lead="Lo que llega a Bolivia con cada servicio, por lo mismo que pagas."
      aside={
        <Anchor component={Link} to={paths.scraper} fw={600}>
          Ver precios de otros servicios
        </Anchor>
      }
    >
      <Comparison />
      <RateUpdate />
      <BankBoard />
    </Page>
  );
}
